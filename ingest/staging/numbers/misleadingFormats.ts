// Warns of numbers whose number format shows something else: percent, a divided number, or another currency than its row.

import { metricUnit } from '../../../src/catalog/datasets.ts';
import { mayShow } from '../../messages/currencySigns.ts';
import { isPercent, isSmallShare } from '../../sources/numberForms.ts';
import type { OddCell } from '../../sources/readers/rawFile.ts';
import { endsInMark, NUMBER } from '../../sources/readers/shownText.ts';
import { shownPercent } from '../cellValues.ts';
import { asTyped } from '../readingOptions.ts';
import type { LocatedRow } from '../remarks.ts';
import type { MetricCell, TableContext } from '../tableContext.ts';

/** Compares the number formats of one table with its numbers. */
export class MisleadingFormats {
  readonly #table: TableContext;
  /** The index of the column that names the currency of each row; -1 without one. */
  readonly #currencyAt: number;

  constructor(table: TableContext) {
    this.#table = table;
    this.#currencyAt = table.mapping.header.columns.findIndex((column) => column?.name === 'fx');
  }

  warn(at: MetricCell, cell: OddCell, value: number): void {
    const { row, name } = at;
    const unit = metricUnit(this.#table.mapping.dataset, name);
    const percent = unit === 'percent' ? null : percentShown(cell);
    if (percent !== null)
      this.#table.remarks.add('warning', at, {
        problem: `${name} is ${value}, and its number format shows ${percent} %`,
        remedy: 'give the cell the number format 0, or write the figure itself if this is a share of it',
        kind: `${name} shown as percent`,
      });
    if (cell.kind === 'with unit' && isSmallShare(cell.unit))
      this.#table.remarks.add('warning', at, {
        problem: `${name} is ${value}, and its number format shows "${value / cell.divisor} ${cell.unit.trim()}"`,
        remedy: 'give the cell the number format 0, and write the figure in the unit of its metric',
        kind: `${name} shown as a share smaller than percent`,
      });
    // To the readers of files, an amount such as 1999 with a mark looks like a year with a mark.
    if (cell.kind === 'marked year' && endsInMark(cell.shown.replace(`${value}`, NUMBER)))
      this.#table.remarks.add('warning', at, {
        problem: `${name} is ${value}, and its number format shows "${cell.shown}"`,
        remedy: 'call what is not a reported figure Forecast, and give the cell the number format 0',
        kind: `${name} shown with a mark`,
      });
    const { options, file } = this.#table;
    const isDivided = cell.kind === 'divided' && cell.divisor !== undefined;
    if (isDivided && options.scale.has(name)) this.#table.onEffect('scale', name);
    else if (isDivided)
      this.#table.remarks.add('warning', at, {
        problem: `${name} is ${value}, and its number format shows ${value / cell.divisor}`,
        remedy: `give the cell the number format 0 to see the figure that is read; if it is right, use ${asTyped('scale', `${name}=1`, file)}`,
        kind: `${name} shown divided`,
      });
    const shown = 'currency' in cell ? cell.currency : undefined;
    const named = this.#currencyOf(row, unit);
    if (shown === undefined || named === null || mayShow(shown, named)) return;
    this.#table.remarks.add('warning', at, {
      problem: `${name} is in ${named}, and its number format shows ${shown}`,
      remedy: 'correct the currency of the row, or the number format',
      kind: `${name} in ${named}, shown as ${shown}`,
    });
  }

  /** The currency of a metric in this row; null when neither its unit nor the row names one. */
  #currencyOf(row: LocatedRow, unit: string): string | null {
    const [fixed] = /^(?:USD|EUR)\b/.exec(unit) ?? [];
    if (fixed !== undefined) return fixed;
    const cell = unit === OF_THE_ROW ? row.cells[this.#currencyAt] : null;
    const code = typeof cell === 'string' ? cell.trim().toUpperCase() : '';
    return /^[A-Z]{3}$/.test(code) ? code : null;
  }
}

/** The percentage that a cell shows; null when it shows none. Some number formats have the percent sign as literal text. */
function percentShown(cell: OddCell): number | null {
  if (cell.kind === 'percent') return shownPercent(cell.value);
  return cell.kind === 'with unit' && isPercent(cell.unit) ? cell.value : null;
}

/** The unit of metrics whose currency is in the `fx` column of the row. */
const OF_THE_ROW = 'currency of the fx dimension';
