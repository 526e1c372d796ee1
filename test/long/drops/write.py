"""Writes monthly drops of ggr as people make them: python write.py BASE.csv FOLDER [KIND…]. Each kind gets a folder.

Beside the files, seen.json holds the rows that a person means. What is not ggr is the same in every month.
"""

import json
import sys

import footnotes
import formulas
import habits
import hidden
import honest
import layouts
import programs
import texts
import units
import values
import words
from common import KINDS, Drop

ALL = (honest, footnotes, words, formulas, hidden, units, layouts, values, texts, programs, habits)

for name in sys.argv[3:] or KINDS:
    drop = Drop(name)
    KINDS[name](drop)
    (drop.folder / "seen.json").write_text(json.dumps(drop.seen))
print(len(KINDS), "kinds from", len(ALL), "files")
