"""The sample world: invented places, people and works, and the questions that people ask about them.

It stands in for released data wherever that may not be shipped: in demonstrations and in tests. One seed makes
one world. ``names`` coins words, ``entities`` hands them to places, people and works, ``relations`` says what can
be asked and whether its answer depends on time or place, ``phrasing`` puts it into words, and
``identification`` draws the rows of context-dependence identification.
"""
