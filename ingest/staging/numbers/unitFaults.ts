// Reports units that a title, a heading, a sheet name or a comment states, such as `USD m`, `in thousands` or `€ 000`.

import {
  type DatasetName,
  datasetOf,
  isAmount,
  metricNames,
  metricUnit,
} from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { withoutCurrency } from '../../messages/headingWords.ts';
import type { Severity } from '../../messages/problems.ts';
import { headingKey } from '../../messages/spelling.ts';
import {
  isDoubtful,
  type StatedUnit,
  statedUnit,
  unitBesideLabel,
  unitBesideNumber,
  unitInName,
} from '../../messages/statedUnits.ts';
import { CURRENCY_WORD } from '../../messages/unitPatterns.ts';
import { type Aside, conditionalFormatDiagnostic, unitOfAside } from '../../sources/readers/asides.ts';
import { withoutMarks } from '../../sources/readers/footnotes.ts';
import { type Cell, isKind, type RawRow } from '../../sources/readers/rawFile.ts';
import { asTyped } from '../readingOptions.ts';
import type { TableContext } from '../tableContext.ts';

/**
 * Copies of the rows without the units in the headings of metrics and years: `GGR (USD m)` becomes `GGR`, so that the
 * header is found. A percent sign is removed only from headings of metrics in percent.
 */
export function withoutUnits(dataset: DatasetName, rows: readonly RawRow[]): readonly RawRow[] {
  const names = new Set(metricNames(dataset).map(headingKey));
  if (names.size === 0) return rows;
  const percentages = new Set(
    metricNames(dataset)
      .filter((name) => metricUnit(dataset, name) === 'percent')
      .map(headingKey),
  );
  /** The heading in a text, without its unit; undefined when the text is no heading with a unit. */
  const headingIn = (text: string): string | undefined => {
    // A longer text is not a heading. The patterns below would take minutes for 100,000 spaces.
    if (text.length > LONGEST_HEADING) return undefined;
    const ofPercent = text.replace(PERCENT, '');
    if (percentages.has(headingKey(ofPercent))) return ofPercent;
    const unit = statedUnit(text);
    if (unit === null) return amountWithUnit(dataset, text)?.name;
    const withoutUnit = text.replace(unit.text, unit.text.match(CURRENCY_WORD)?.[0] ?? ' ');
    const bare = withoutUnit.replace(/[()[\],;:/]|\bin\b/gi, ' ').trim();
    // Some metrics have a currency in their name, as in `GDP USD (bn)`, so the heading is tried with it and without it.
    return [bare, withoutCurrency(withoutUnit)].find(
      (candidate) => names.has(headingKey(candidate)) || /^\d{4}$/.test(candidate),
    );
  };
  const plain = (cell: Cell): Cell => {
    const text = withoutMarks(cell);
    const heading = typeof text === 'string' ? headingIn(text) : undefined;
    if (heading === undefined) return cell;
    return isKind(cell, 'footnoted') ? { ...cell, value: heading } : heading;
  };
  return rows.map((row) =>
    row.cells.some((cell) => cell !== plain(cell)) ? { ...row, cells: row.cells.map(plain) } : row,
  );
}

const LONGEST_HEADING = 500;

/** A percent sign or a word for it at the end of a heading: `Inflation (annual %)`. */
const PERCENT =
  /(?<![\s,;:–-])[\s,;:–-]*(?:[([]\s*)?(?:in\s+|annual\s+)*(?:[%٪]|per ?cent|percentage|prozent|pour ?cent|pct|persen|phần trăm|procent|procenty?|процент\p{L}*|ร้อยละ|เปอร์เซ็นต์|אחוזים|أ?بالمئة|بالمائة)\s*(?:[)\]]\s*)?$/iu;

/**
 * The name of an amount as the heading spells it, and the unit behind it: `GGR_m`, `GGR | mn`, `GGR (百万)`, `GGR*1000`. Null
 * for a heading that has anything else.
 */
function amountWithUnit(
  dataset: DatasetName,
  heading: string,
): { readonly name: string; readonly unit: StatedUnit } | null {
  if (heading.length > LONGEST_UNIT_HEADING) return null;
  const amounts = Object.entries(datasetOf(dataset).metrics).flatMap(([name, { unit }]) =>
    isAmount(unit) ? [headingKey(name)] : [],
  );
  for (const { index } of heading.matchAll(BREAK)) {
    const name = heading.slice(0, index);
    if (!amounts.includes(headingKey(name))) continue;
    const unit = unitBesideLabel('unit', heading.slice(index).replace(AROUND, ''));
    if (unit !== null) return { name, unit };
  }
  return null;
}

/** The most characters of a heading. A longer text would take too long: the time grows with the square of its length. */
const LONGEST_UNIT_HEADING = 100;

/** Matches the characters between name and unit. */
const BREAK = /[^\p{L}\p{N}]+/gu;

/** Matches the characters around the unit: brackets, lines, multiplication signs. */
const AROUND = /^[^\p{L}\p{N}$€£¥₹₽₩₺'’‘]+|[^\p{L}\p{N}.$€£¥₹₽₩₺]+$/gu;

/** The fault of a text beside `table` that states a unit; null for other texts, and when `--scale` fits the unit. */
export const unitFault = (text: string, table: TableContext): Diagnostic | null =>
  faultOfText(text, statedUnit(text), table, null);

/**
 * Like `unitFault`, for a heading with an amount's name and a unit, such as `GGR_m`. In this function and those below,
 * `metric` is the metric that the unit is about; null for a title, which may be about any.
 */
export const headingFault = (text: string, table: TableContext, metric: string | null): Diagnostic | null =>
  faultOfText(text, amountWithUnit(table.mapping.dataset, text)?.unit ?? null, table, metric);

/**
 * Like `unitFault`, for a cell in or above the header. Above a column of figures, or beside a label such as `Unit`, the
 * cell may have only the unit.
 */
export function titleFault(
  value: string | number,
  { label, isAboveFigures }: { readonly label: string; readonly isAboveFigures: boolean },
  table: TableContext,
  metric: string | null,
): Diagnostic | null {
  const [, before = '', behind = ''] = /^([^:=]+[:=])(.+)$/s.exec(`${value}`) ?? [];
  const unit =
    (typeof value === 'string' ? statedUnit(value) : null) ??
    unitBesideLabel(label, value) ??
    unitBesideLabel(before, behind) ??
    (isAboveFigures && typeof value === 'string' ? unitBesideNumber(value) : null);
  return faultOfText(`${value}`, unit, table, metric);
}

/**
 * Like `unitFault`, for the name of a file or sheet. It is a warning if a word of the name may only look like a currency.
 */
export function nameFault(
  name: string,
  table: TableContext,
): { readonly severity: Severity; readonly fault: Diagnostic } | null {
  const unit = unitInName(name);
  const fault = faultOfText(name, unit, table, null);
  return fault && { severity: unit !== null && isDoubtful(unit) ? 'warning' : 'error', fault };
}

function faultOfText(
  text: string,
  unit: StatedUnit | null,
  table: TableContext,
  metric: string | null,
): Diagnostic | null {
  if (unit === null) return null;
  return faultOfUnit(`"${text.trim()}" says that the figures are in ${unit.word}`, unit, table, metric);
}

/** Like `unitFault`, for a text that is not in a cell, such as a comment. A conditional number format is always a fault. */
export function asideFault(aside: Aside, table: TableContext, metric: string | null): Diagnostic | null {
  const { what, text } = aside;
  if (what === 'conditional number format') return conditionalFormatDiagnostic(aside);
  const unit = unitOfAside(aside);
  if (unit === null) return null;
  const shown = text.length > LONGEST_SHOWN ? `… ${unit.text} …` : text;
  return faultOfUnit(
    `${what.startsWith('i') ? 'an' : 'a'} ${what} says "${shown}", so the figures may be in ${unit.word}`,
    unit,
    table,
    metric,
  );
}

/** The most characters of a text that a message quotes in full. */
const LONGEST_SHOWN = 100;

/** The fault of a stated unit without `--scale`, or with a `--scale` that contradicts it; null when `--scale` fits it. */
export function faultOfUnit(
  problem: string,
  unit: StatedUnit,
  { mapping, options, file, onEffect }: TableContext,
  metric: string | null,
): Diagnostic | null {
  const metrics = metric === null ? scalableMetrics(mapping.dataset, unit) : [metric];
  const [first] = metrics;
  if (first === undefined) return null;
  const scale = (factor: string) => {
    const value = metrics.map((name) => `${name}=${factor}`).join(',');
    return asTyped('scale', value, file);
  };
  const scales = metrics.flatMap((name) => options.scale.get(name) ?? []);
  const contradicted = scales.filter((factor) => contradicts(factor, unit));
  if (scales.length > contradicted.length) {
    for (const name of metrics) if (options.scale.has(name)) onEffect('scale', name);
    return null;
  }
  if (scales.length > 0)
    return {
      problem: `${problem}, and --scale multiplies by ${[...new Set(scales)].join(' and ')}`,
      remedy: `use ${scale(unit.factor)} for a file whose figures are all in ${unit.word}, or write all figures in one unit`,
      kind: `figures in ${unit.word}, multiplied otherwise`,
    };
  const alternative = unit.otherFactor === undefined ? '' : ` or ${scale(unit.otherFactor)}`;
  return {
    problem,
    remedy: `multiply them with ${scale(unit.factor)}${alternative}, or keep them as they are with ${scale('1')}`,
    kind: `figures in ${unit.word}`,
  };
}

/**
 * Whether a given factor is that of another unit. Units are powers of ten. Any other factor also converts a currency or the
 * like, so it contradicts no unit.
 */
function contradicts(given: string, { factor, otherFactor }: StatedUnit): boolean {
  const value = Number(given);
  const isUnit = /^10*$/.test(String(value)) && value !== 1;
  return isUnit && ![factor, otherFactor].some((one) => Number(one) === value);
}

/**
 * The metrics that the unit of a title may refer to: amounts of money, and counts of people if the title names no currency.
 */
const scalableMetrics = (dataset: DatasetName, { text }: StatedUnit): readonly string[] =>
  Object.entries(datasetOf(dataset).metrics).flatMap(([name, { unit }]) =>
    isAmount(unit) && (unit !== 'persons' || text.search(CURRENCY_WORD) < 0) ? [name] : [],
  );
