// Reports units that are stated beside the data: `USD m`, `in thousands`, `€ 000` in a title, a heading or a sheet name.

import { type DatasetName, datasetOf, metricNames } from '../../../src/catalog/datasets.ts';
import type { Diagnostic } from '../../messages/fault.ts';
import { withoutCurrency } from '../../messages/headingWords.ts';
import type { Severity } from '../../messages/problems.ts';
import { headingKey } from '../../messages/spelling.ts';
import {
  isDoubtful,
  type StatedUnit,
  statedUnit,
  unitBeside,
  unitBesideLabel,
  unitInName,
} from '../../messages/statedUnits.ts';
import { CURRENCY_WORD } from '../../messages/unitPatterns.ts';
import { type Aside, unitOfAside, whyConditional } from '../../sources/readers/asides.ts';
import type { Cell, RawRow } from '../../sources/readers/raw.ts';
import { type FileOptions, typed } from '../readingOptions.ts';
import { isFootnoted } from '../values.ts';
import { amountWithUnit, isAmount } from './headingUnit.ts';

/**
 * The rows with units taken out of the headings of metrics and years: `GGR (USD m)` becomes `GGR`, and the header is
 * found. Percent is taken out of the headings of metrics in percent alone. The rows themselves are not changed.
 */
export function withoutUnits(dataset: DatasetName, rows: readonly RawRow[]): readonly RawRow[] {
  const names = new Set(metricNames(dataset).map(headingKey));
  if (names.size === 0) return rows;
  const percentages = new Set(
    metricNames(dataset)
      .filter((name) => datasetOf(dataset).metrics[name]?.unit === 'percent')
      .map(headingKey),
  );
  const plain = (cell: Cell): Cell => {
    const text = isFootnoted(cell) ? cell.value : cell;
    // Patterns take minutes for a text of 100,000 spaces, which is no heading.
    if (typeof text === 'string' && text.length > LONGEST_HEADING) return cell;
    const ofPercent = typeof text === 'string' ? text.replace(PERCENT, '') : '';
    if (percentages.has(headingKey(ofPercent)))
      return isFootnoted(cell) ? { ...cell, value: ofPercent } : ofPercent;
    if (typeof text !== 'string') return cell;
    const unit = statedUnit(text);
    if (unit === null) {
      const amount = amountWithUnit(dataset, text);
      return amount === null ? cell : isFootnoted(cell) ? { ...cell, value: amount.name } : amount.name;
    }
    const withoutUnit = text.replace(unit.text, unit.text.match(CURRENCY_WORD)?.[0] ?? ' ');
    const bare = withoutUnit.replace(/[()[\],;:/]|\bin\b/gi, ' ').trim();
    // The name of some metrics includes a currency: `GDP USD (bn)`.
    const heading = [bare, withoutCurrency(withoutUnit)].find(
      (candidate) => names.has(headingKey(candidate)) || /^\d{4}$/.test(candidate),
    );
    if (heading === undefined) return cell;
    return isFootnoted(cell) ? { ...cell, value: heading } : heading;
  };
  return rows.map((row) =>
    row.cells.some((cell) => cell !== plain(cell)) ? { ...row, cells: row.cells.map(plain) } : row,
  );
}

const LONGEST_HEADING = 500;

/** A percent sign or a word for it at the end of a heading: `Inflation (annual %)`. */
const PERCENT =
  /(?<![\s,;:–-])[\s,;:–-]*(?:[([]\s*)?(?:in\s+|annual\s+)*(?:[%٪]|per ?cent|percentage|prozent|pour ?cent|pct|persen|phần trăm|procent|procenty?|процент\p{L}*|ร้อยละ|เปอร์เซ็นต์|אחוזים|أ?بالمئة|بالمائة)\s*(?:[)\]]\s*)?$/iu;

/** What a unit in a text may be about. */
export interface UnitScope {
  readonly dataset: DatasetName;
  /** The metric whose heading states it; null for a title, which may be about any. */
  readonly metric: string | null;
  readonly options: FileOptions;
  readonly file: string;
}

/** What is wrong with a text that states a unit, when no `--scale` says what to do about it; else null. */
export const unitFault = (text: string, scope: UnitScope): Diagnostic | null =>
  faultOfText(text, statedUnit(text), scope);

/** The same for the heading of an amount that has only a unit after its name, such as `GGR_m`. */
export const headingFault = (text: string, scope: UnitScope): Diagnostic | null =>
  faultOfText(text, amountWithUnit(scope.dataset, text)?.unit ?? null, scope);

/** The same for a text above the header, which may be a unit alone: above a metric, or beside a label such as `Unit`. */
export function titleFault(
  value: string | number,
  { label, isAboveFigures }: { readonly label: string; readonly isAboveFigures: boolean },
  scope: UnitScope,
): Diagnostic | null {
  const [, before = '', behind = ''] = /^([^:=]+[:=])(.+)$/s.exec(`${value}`) ?? [];
  const unit =
    (typeof value === 'string' ? statedUnit(value) : null) ??
    unitBesideLabel(label, value) ??
    unitBesideLabel(before, behind) ??
    (isAboveFigures && typeof value === 'string' ? unitBeside(value) : null);
  return faultOfText(`${value}`, unit, scope);
}

/** The same for the name of a file or a sheet, whose words may only look like a currency. */
export function nameFault(
  name: string,
  scope: UnitScope,
): { readonly severity: Severity; readonly fault: Diagnostic } | null {
  const unit = unitInName(name);
  const fault = faultOfText(name, unit, scope);
  return fault && { severity: unit !== null && isDoubtful(unit) ? 'warning' : 'error', fault };
}

function faultOfText(text: string, unit: StatedUnit | null, scope: UnitScope): Diagnostic | null {
  if (unit === null) return null;
  return faultOfUnit(`"${text.trim()}" says that the figures are in ${unit.word}`, unit, scope);
}

/** What is wrong with a text beside the cells, such as a comment, that states a unit, or with a conditional format; else null. */
export function asideFault(aside: Aside, scope: UnitScope): Diagnostic | null {
  const { what, text } = aside;
  if (what === 'conditional number format') return whyConditional(aside);
  const unit = unitOfAside(aside);
  if (unit === null) return null;
  const shown = text.length > LONGEST_SHOWN ? `… ${unit.text} …` : text;
  return faultOfUnit(
    `${what.startsWith('i') ? 'an' : 'a'} ${what} says "${shown}", so the figures may be in ${unit.word}`,
    unit,
    scope,
  );
}

const LONGEST_SHOWN = 100;

/**
 * The fault for a stated unit, with its remedy, when no `--scale` is given for it or the given one contradicts it; else
 * null.
 */
export function faultOfUnit(
  problem: string,
  unit: StatedUnit,
  { dataset, metric, options, file }: UnitScope,
): Diagnostic | null {
  const metrics = metric === null ? scalableMetrics(dataset, unit) : [metric];
  const [first] = metrics;
  if (first === undefined) return null;
  const scale = (factor: string) => {
    const value = metrics.map((name) => `${name}=${factor}`).join(',');
    return typed({ option: 'scale', value, file, found: false });
  };
  const given = metrics.flatMap((name) => options.scale.get(name) ?? []);
  const contradicted = given.filter((factor) => contradicts(factor, unit));
  if (given.length > contradicted.length) return null;
  if (given.length > 0)
    return {
      problem: `${problem}, and --scale multiplies by ${[...new Set(given)].join(' and ')}`,
      remedy: `say ${scale(unit.factor)} for a file whose figures are all in ${unit.word}, or write all figures in one unit`,
      kind: `figures in ${unit.word}, multiplied otherwise`,
    };
  const alternative = unit.otherFactor === undefined ? '' : ` or ${scale(unit.otherFactor)}`;
  return {
    problem,
    remedy: `multiply them with ${scale(unit.factor)}${alternative}, or affirm them as they stand with ${scale('1')}`,
    kind: `figures in ${unit.word}`,
  };
}

/** Whether a factor is that of another unit. A factor that is no power of ten also converts something else, so it is none. */
function contradicts(given: string, { factor, otherFactor }: StatedUnit): boolean {
  const value = Number(given);
  const isUnit = /^10*$/.test(String(value)) && value !== 1;
  return isUnit && ![factor, otherFactor].some((one) => Number(one) === value);
}

/** Metrics that the unit of a title may be about: amounts, and people where the title names no currency. */
const scalableMetrics = (dataset: DatasetName, { text }: StatedUnit): readonly string[] =>
  Object.entries(datasetOf(dataset).metrics).flatMap(([name, { unit }]) =>
    isAmount(unit) && (unit !== 'persons' || text.search(CURRENCY_WORD) < 0) ? [name] : [],
  );
