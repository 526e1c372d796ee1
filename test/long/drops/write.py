"""Writes monthly drops of ggr as people make them: python write.py BASE.csv FOLDER [KIND…]. Each kind gets a folder.

Beside the files, seen.json has the rows that a person means. test/long/drops.test.ts adds the files of other datasets.
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
