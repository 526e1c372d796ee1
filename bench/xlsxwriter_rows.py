"""The reference for exported workbooks: xlsxwriter in constant-memory mode writes the rows of a csv file.

Prints the seconds that writing took. Reading the csv file is not counted.
"""

import csv
import sys
import time

import xlsxwriter

source, target = sys.argv[1:]
with open(source, newline="", encoding="utf-8") as file:
    header, *rows = csv.reader(file)
numbers = {header.index("year"), header.index("ggr")}
typed = [[float(cell) if i in numbers and cell else cell for i, cell in enumerate(row)] for row in rows]

begun = time.perf_counter()
with xlsxwriter.Workbook(target, {"constant_memory": True}) as workbook:
    sheet = workbook.add_worksheet("ggr")
    sheet.write_row(0, 0, header)
    for number, row in enumerate(typed, start=1):
        for column, cell in enumerate(row):
            if isinstance(cell, float):
                sheet.write_number(number, column, cell)
            elif cell:
                sheet.write_string(number, column, cell)
print(time.perf_counter() - begun)
