// Reads a whole table before it is staged, to find out how to read the cells that only their whole column explains.

import { addTo, getOrInsert } from '../../src/basics/maps.ts';
import type { DimensionName } from '../../src/catalog/datasets.ts';
import { withoutMarks } from '../sources/readers/footnotes.ts';
import type { Cell, RawRow } from '../sources/readers/rawFile.ts';
import { isEmpty } from './cellValues.ts';
import type { ColumnMapping, TextTarget } from './columnMapping.ts';
import { cleanText } from './dimensionTexts.ts';
import { ColumnNumberStyle } from './numbers/numberText.ts';
import { isPlaceholder } from './numbers/placeholders.ts';
import type { FileOptions, NumberStyle } from './readingOptions.ts';

/** The findings about the columns of one table. */
export interface Survey {
  /** The style of the numbers of each metric; null if no style is certain. Wide form has one entry for all values, `''`. */
  readonly styleByMetric: ReadonlyMap<string, NumberStyle | null>;
  /** The metrics in whose texts dots separate thousands; `''` in wide form. */
  readonly dottedMetrics: ReadonlySet<string>;
  /** The texts of each dimension that have no footnote mark, as they are published. */
  readonly textsByDimension: ReadonlyMap<DimensionName, ReadonlySet<string>>;
  /**
   * The dimensions whose texts begin groups of rows: filled in the first row, and empty in at least a quarter of all rows.
   */
  readonly groupedDimensions: ReadonlySet<DimensionName>;
}

/** Surveys all rows of a table. The caller reads them once more from the beginning. */
export async function surveyTable(
  all: AsyncIterable<readonly RawRow[]>,
  mapping: ColumnMapping,
  options: FileOptions,
): Promise<Survey> {
  const { targets, header } = mapping;
  const numbers = new Map<string, ColumnNumberStyle>();
  const textsByDimension = new Map<DimensionName, Set<string>>();
  const blanks = new Map<DimensionName, number>();
  const ungrouped = new Set<DimensionName>();
  let rows = 0;
  for await (const batch of all) {
    for (const row of batch) {
      if (row.row <= header.row || row.cells.filter((cell) => !isEmpty(cell)).length < 2) continue;
      rows += 1;
      targets.forEach((target, index) => {
        const cell = row.cells[index];
        if (target?.kind === 'text') {
          if (!isEmpty(cell)) addText(textsByDimension, target, cell);
          else if (rows === 1) ungrouped.add(target.name);
          else addTo(blanks, target.name, 1);
        } else if (target?.kind === 'value') addNumber(numbers, target.name, cell, options);
        else if (target?.kind === 'year value') addNumber(numbers, '', cell, options);
      });
    }
  }
  const isGrouped = ([name, count]: [DimensionName, number]) =>
    name !== 'state' && !ungrouped.has(name) && count >= 2 && count >= rows / 4;
  return {
    styleByMetric: new Map([...numbers].map(([name, column]) => [name, column.style])),
    dottedMetrics: new Set([...numbers].flatMap(([name, { isDotted }]) => (isDotted ? [name] : []))),
    textsByDimension,
    groupedDimensions: new Set([...blanks].filter(isGrouped).map(([name]) => name)),
  };
}

const MOST_TEXTS = 200_000;

function addText(
  to: Map<DimensionName, Set<string>>,
  { name, form }: TextTarget,
  cell: Cell | undefined,
): void {
  if (typeof cell !== 'string') return;
  const all = getOrInsert(to, name, () => new Set());
  if (all.size < MOST_TEXTS && !all.has(cell)) all.add(cleanText(cell, form));
}

function addNumber(
  to: Map<string, ColumnNumberStyle>,
  name: string,
  cell: Cell | undefined,
  { missing }: FileOptions,
): void {
  const text = withoutMarks(cell);
  if (typeof text !== 'string') return;
  if (text.trim() === '' || missing.has(text.trim().toLowerCase()) || isPlaceholder(text)) return;
  const column = getOrInsert(to, name, () => new ColumnNumberStyle());
  column.add(text);
}
