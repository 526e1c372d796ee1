// Prints a comparison for people: the new, removed and changed rows of each dataset, the largest changes first.

import { groupBy } from '../../../src/basics/lists.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { displayWidth, table } from '../../../src/terminal/table.ts';
import { wrapped } from '../../../src/terminal/wrap.ts';
import { printable } from '../../../src/text/printable.ts';
import type {
  Comparison,
  DatasetComparison,
  DimensionValue,
  UncomparedDataset,
} from '../../compare/comparisonTypes.ts';
import type { Revision, RowDimensions } from '../../compare/revision.ts';
import type { Total } from '../../compare/totalTypes.ts';
import {
  amountText,
  changeText,
  count,
  counted,
  exact,
  listed,
  signed,
  yearSpans,
} from '../../messages/numbers.ts';
import { titleOf, totalMoveSize, yearTitle } from '../../report/totalsForReport.ts';

const LAYOUT = { indent: '    ', numbersRight: true };

/**
 * The text of a comparison.
 *
 * @param width The width of the terminal in characters. When undefined, no line is broken.
 * @param shown How many totals, revisions and series of rows of each dataset are listed. The text counts the rest.
 */
export function printedComparison(comparison: Comparison, width: number | undefined, shown = 10): string {
  const { before, after, datasets, uncompared = [] } = comparison;
  const compared = DATASET_NAMES.filter((name) => !uncompared.some(({ dataset }) => dataset === name));
  const rest = uncompared.map(
    (one) => `${printable(one.dataset)}: ${printable(uncomparedText(one, before.id, after.id))}\n`,
  );
  const title = `${before.id ?? before.month} → ${after.id ?? after.month}\n`;
  return [title, ...compared.map((name) => printedDataset(datasets[name], shown, width)), ...rest].join('\n');
}

/**
 * The text on why a dataset was not compared. `before` and `after` are the ids of the snapshots; null for an unpublished
 * month.
 */
export function uncomparedText(
  { lackedBy, isKnown }: UncomparedDataset,
  before: string | null,
  after: string | null,
): string {
  const ids = { before: before ?? 'the month', after: after ?? 'the month', both: 'either' };
  const other = lackedBy === 'before' ? ids.after : ids.before;
  if (!isKnown) return `not compared: ${other} holds it, and this version does not know it`;
  return lackedBy === 'both'
    ? 'not compared: neither holds it'
    : `not compared: ${ids[lackedBy]} does not hold it with these columns`;
}

function printedDataset(dataset: DatasetComparison, shown: number, width: number | undefined): string {
  const { rows, same, carried } = dataset;
  const carriedNote = carried === null ? '' : ` (carried from ${carried})`;
  if (same) return `${dataset.dataset}: ${counted(rows.after, 'row')}, as before${carriedNote}\n`;
  const changed = (['revised', 'emptied', 'filled'] as const).map((kind) => ({
    kind,
    values: Object.values(dataset.metrics).reduce((sum, metric) => sum + metric[kind], 0),
  }));
  // A row may have several changed values.
  const kinds = changed.flatMap(({ kind, values }) => (values === 0 ? [] : [`${count(values)} ${kind}`]));
  const parts = [
    `${signed(rows.after - rows.before)} to ${count(rows.after)}`,
    `${count(rows.added)} new`,
    `${count(rows.removed)} gone`,
    `${count(rows.revised)} with changed values${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`,
    ...(rows.arrived === 0 ? [] : [`${count(rows.arrived)} of the new ones were forecasts before`]),
  ];
  const changedValues = changed.reduce((sum, { values }) => sum + values, 0);
  const revisions = dataset.revisions.slice(0, shown);
  const totals = changedTotals(dataset.totals);
  const shownTotals = totals.slice(0, shown);
  return [
    wrapped(`${dataset.dataset}: rows ${parts.join(', ')}${carriedNote}`, '', '  ', width),
    valueChanges(dataset),
    block('totals', table(shownTotals.map(totalCells), LAYOUT), totals.length - shownTotals.length, 'total'),
    block('revised', revisedRows(revisions, width), changedValues - revisions.length, 'value'),
    rowsBlock('new', { listed: dataset.added, total: rows.added }, { shown, width }),
    rowsBlock('gone', { listed: dataset.removed, total: rows.removed }, { shown, width }),
  ].join('');
}

/** One line for each revision. When any of these lines is too long for the terminal, each revision gets two lines. */
function revisedRows(revisions: readonly Revision[], width: number | undefined): string {
  const rows = revisions.map(revisionCells);
  const whole = table(rows, LAYOUT);
  if (width === undefined || whole.split('\n').every((line) => displayWidth(line) <= width)) return whole;
  return rows
    .map(
      ([metric = '', key = '', ...figures]) =>
        `${wrapped(`${metric}  ${key}`, LAYOUT.indent, `${LAYOUT.indent}    `, width)}${LAYOUT.indent}    ${figures.join('  ').trimEnd()}\n`,
    )
    .join('');
}

/** How many new values of a dimension are named, and how many vanished ones. */
const NAMED = 10;

function valueChanges({ dimensions }: DatasetComparison): string {
  const names = (values: readonly DimensionValue[]) =>
    listed(
      values.map(({ value }) => printable(String(value))),
      NAMED,
    );
  return dimensions
    .flatMap(({ dimension, appeared, vanished }) => [
      ...(appeared.length === 0 ? [] : [`  new ${dimension}: ${names(appeared)}\n`]),
      ...(vanished.length === 0 ? [] : [`  gone ${dimension}: ${names(vanished)}\n`]),
    ])
    .join('');
}

/** Totals that differ: reported figures before forecasts, the largest changes first. */
const changedTotals = (totals: readonly Total[]) =>
  totals
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => Number(a.forecast) - Number(b.forecast) || totalMoveSize(b) - totalMoveSize(a));

/** Lines under a heading; nothing if there are no items. A last line counts the items that are not shown. */
function block(heading: string, lines: string, notShown: number, noun: string): string {
  if (lines === '' && notShown === 0) return '';
  const more = notShown > 0 ? `    … and ${counted(notShown, `more ${noun}`)}\n` : '';
  return `  ${heading}\n${lines}${more}`;
}

const totalCells = (total: Total) => [
  printable(titleOf(total)),
  yearTitle(total),
  amountText(total.before),
  '→',
  amountText(total.after),
  total.relative === null ? '' : changeText(total.relative),
];

const revisionCells = ({ key, metric, from, to, relative }: Revision) => [
  metric,
  describeKey(key),
  exact(from),
  '→',
  exact(to),
  relative === null ? '' : changeText(relative),
];

/** The rows of up to `shown` series. Rows that differ only in year and currency are one line. */
function rowsBlock(
  what: string,
  rows: { readonly listed: readonly RowDimensions[]; readonly total: number },
  { shown, width }: { readonly shown: number; readonly width: number | undefined },
): string {
  const series = groupBy(rows.listed, ({ year: _, fx: __, ...common }) => JSON.stringify(common));
  const shownSeries = [...series.values()].slice(0, shown);
  const rest = rows.total - shownSeries.reduce((sum, keys) => sum + keys.length, 0);
  const lines = [
    ...shownSeries.map(describeSeries),
    ...(rest > 0 ? [`… and ${counted(rest, 'more row')}`] : []),
  ];
  if (lines.length === 0) return '';
  return `  ${what}\n${lines.map((line) => wrapped(line, '    ', '      ', width)).join('')}`;
}

/** The rows of a series as text: `Malta 2015–2024, Betting, Sport Betting, EUR and USD: 20 rows`. */
function describeSeries(keys: readonly [RowDimensions, ...RowDimensions[]]): string {
  const [first] = keys;
  if (keys.length === 1) return describeKey(first);
  const valuesOf = (dimension: 'year' | 'fx') =>
    new Set(keys.flatMap(({ [dimension]: value }) => (value === undefined ? [] : [value])));
  const years = yearSpans([...valuesOf('year')].map(Number));
  const currencies = listed([...valuesOf('fx')].map(String));
  const { year, fx } = first;
  return `${describeKey({ ...first, ...(year !== undefined && { year: years }), ...(fx !== undefined && { fx: currencies }) })}: ${counted(keys.length, 'row')}`;
}

/** A key as text: `Malta 2024, Betting, Sport Betting, EUR`. Empty texts and the region of a country are left out. */
function describeKey({ country, year, region, ...rest }: RowDimensions): string {
  const place = [country, year].filter((value) => value !== undefined).join(' ');
  const others = country === undefined ? [region, ...Object.values(rest)] : Object.values(rest);
  return printable([place, ...others].filter((value) => value !== undefined && value !== '').join(', '));
}
