"""The papers' tables, found by their file's name.

``table<number>.py`` holds ``build(out, *, draws, seed, known) -> Table``; adding the file adds the table.
"""
