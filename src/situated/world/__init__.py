"""The sample world: invented places, people, works, and what one can read and ask about them.

It stands in for real data wherever that may not be shipped: in demonstrations, tests and benches. One seed makes one
world, consistent in itself.

- Things with articles. ``kinds`` and ``statements/*.yaml`` (read by ``properties``) say what there is and what is said
  of it; ``coining``, ``naming`` and ``values`` make names and values, ``block`` some fifty things that belong together.
- What one reads. ``phrases``, ``fillers``, ``infobox`` and ``article`` write wikitext, ``pages`` puts it into an
  export, ``wikidata`` writes the dump.
- What one asks. ``asking`` draws questions, ``released`` and ``question_rows`` put them into the released formats,
  ``truth`` and ``checks`` say what is right and what can be reached. ``writing`` streams all of it into a folder.
- Questions on things without articles, for identification alone: ``entities`` names them, ``relations`` says what can
  be asked and whether the answer depends on time or place, ``phrasing`` puts it into words, ``forms`` and
  ``identification`` draw the rows.
"""
