// Reads number formats: whether they show a date, a year, percent, a currency or a unit, or divide the number.

import { currencyIn } from '../../../messages/currencySigns.ts';
import { unitBesideNumber } from '../../../messages/statedUnits.ts';
import { isPercent, isSmallShare } from '../../numberForms.ts';
import { type ConditionalDivisor, type FormatUnit, type NumberKind, PLAIN } from '../numberKind.ts';
import { endsInMark, marksYear, NUMBER } from '../shownText.ts';

/** How a number format shows a number. */
export function kindOfFormat(code: string): NumberKind {
  if (isYearFormat(code)) return { kind: 'year' };
  if (isDateFormat(code)) return { kind: 'date' };
  if (isPercentFormat(code)) return { kind: 'percent' };
  const unit = unitInFormat(code);
  const currency = currencyInFormat(code);
  const shown = currency === null ? {} : { currency };
  if (unit !== null) return { kind: 'with unit', ...unit, ...shown };
  if (dividesNumber(code)) {
    const divisors = unnamedDivisors(code);
    if (divisors !== null) return { kind: 'divided by size', divisors, ...shown };
    const divisor = unnamedDivisor(code);
    return { kind: 'divided', ...(divisor > 1 && { divisor }), ...shown };
  }
  const form = formShown(code);
  if (marksYear(form)) return { kind: 'in form', form };
  return currency === null ? PLAIN : { kind: 'with currency', currency };
}

/** The text that a number format shows for a positive number, with NUMBER in place of the number. */
const formShown = (code: string): string =>
  code.replace(
    /;.*|"([^"]*)"|\\(.)|\[[^\][]*\]|[_*].|general|[0#?]+/gis,
    (part, quoted?: string, escaped?: string) => quoted ?? escaped ?? (/^[g0#?]/i.test(part) ? NUMBER : ''),
  );

/**
 * Whether a number format shows the mark of an estimate, a provisional or revised figure, or a footnote after the number.
 */
export const showsMark = (code: string): boolean =>
  ['number', 'in form'].includes(kindOfFormat(code).kind) && endsInMark(formShown(code));

/**
 * The unit with which a number format shows another value than the number: `#,##0" m"` shows 404 as `404 m`, and `0,"m"`
 * shows 404000 as `404m`. Null for a true unit: `0.0,,"m"` divides by a million first.
 *
 * A per mille sign is a unit, too. So is a percent sign that is only text: `0\%` shows 5 as `5%`.
 */
export function unitInFormat(code: string): FormatUnit | null {
  for (const section of numberSections(code)) {
    const divisor = divisorOf(section);
    const literals = literalsOf(section);
    const unit = literals.find((text) => unitBesideNumber(text) !== null || isSmallShare(text));
    const percent = isPercentFormat(section) || divisor > 1 ? undefined : literals.find(isPercent);
    if (unit === undefined && percent !== undefined) return { unit: percent, divisor };
    if (unit === undefined) continue;
    if (isSmallShare(unit)) return { unit, divisor };
    const isTrueUnit = [divisor, divisor * literalPoint(section)].some(
      (by) => unitBesideNumber(unit, by) === null,
    );
    if (!isTrueUnit) return { unit, divisor };
  }
  return null;
}

/** The sections of a number format: up to four, for positive numbers, for negative numbers, for zero and for texts. */
const sectionsOf = (code: string): readonly string[] =>
  code.match(/(?:"[^"]*"|\\.|\[[^\][]*\]|[_*].|[^;])+/gs) ?? [];

/** The sections that show digits, except for the section for zero. */
const numberSections = (code: string): readonly string[] =>
  sectionsOf(code)
    .slice(0, /\[[<>=]/.test(code) ? 3 : 2)
    .filter((section) => DIGITS.test(withoutText(section)));

const DIGITS = /[0#?]|general/i;

/** Matches the condition of a section: `[>=1000000]`. */
export const CONDITION = /\[(<=|>=|<>|[<>=])\s*(-?[\d.]+)\s*\]/;

/** The texts that a section shows: each literal, and the whole text before and after the digits. */
const literalsOf = (section: string): readonly string[] =>
  [
    ...[...section.matchAll(/(?:"[^"]*"|\\.|\[\$[^\][]*\])+/g)].map(([run]) => shownBy(run)),
    ...shownBy(section).split(NUMBER),
  ].map((text) => text.trim());

/** The text that a section shows, with NUMBER for digits: `[$€-407] 0\ \m` gives `€ \0 m`. */
export const shownBy = (section: string): string =>
  section.replace(
    /"([^"]*)"|\\(.)|\[\$([^\][-]*)(?:-[^\][]*)?\]|\[[^\][]*\]|[_*].|general|[0#?][0#?.,]*/gis,
    (part, quoted?: string, escaped?: string, sign?: string) =>
      quoted ?? escaped ?? sign ?? (/^[g0#?]/i.test(part) ? NUMBER : ''),
  );

/** The divisor of a section: 1000 for one comma after its digits, 1e6 for two. */
export const divisorOf = (section: string): number =>
  1000 ** (/[0#?](,+)(?![0#?,])/.exec(withoutText(section))?.[1]?.length ?? 0);

/**
 * The power of ten by which a literal dot among the digits seems to divide: 1e4 for `0\.0000"万"`, which shows 123456 as
 * `12.3456万`.
 */
const literalPoint = (section: string): number =>
  10 ** (/[0#?](?:\\\.|"\.")([0#?]+)/.exec(section)?.[1]?.length ?? 0);

const dividesNumber = (code: string): boolean =>
  numberSections(code).some((section) => {
    const divisor = divisorOf(section);
    const by = divisor * literalPoint(section);
    return (
      divisor > 1 ||
      (by > 1 &&
        literalsOf(section).some(
          (text) => unitBesideNumber(text, by) === null && unitBesideNumber(text) !== null,
        ))
    );
  });

/** The divisor of a number format that shows no unit; 1 when it shows one or does not divide. */
const unnamedDivisor = (code: string): number =>
  namesUnit(code) ? 1 : Math.max(1, ...numberSections(code).map(divisorOf));

const namesUnit = (code: string): boolean =>
  numberSections(code).some((section) => literalsOf(section).some((text) => unitBesideNumber(text) !== null));

/**
 * The divisors of the sections of a number format with conditions that shows no unit: `[>=1000000]0.0,,;0` divides large
 * numbers alone. Null for other formats.
 */
function unnamedDivisors(code: string): readonly ConditionalDivisor[] | null {
  if (!/\[[<=>]/.test(code) || namesUnit(code)) return null;
  return sectionsOf(code)
    .slice(0, 3)
    .map((section) => {
      const [, operator = '', limit = ''] = CONDITION.exec(section) ?? [];
      return { operator, limit: Number(limit), divisor: divisorOf(section) };
    });
}

/** The sign or code of the currency that a number format shows beside a positive number; null for none. */
export const currencyInFormat = (code: string): string | null =>
  currencyIn(
    code.replace(
      /;.*|"([^"]*)"|\\(.)|\[\$([^\][-]*)(?:-[^\][]*)?\]|\[[^\][]*\]|[_*]./gs,
      (_, quoted = '', escaped = '', sign = '') => [quoted, escaped, sign].join(''),
    ),
  );

/**
 * Whether a number format shows a date or time: a day, month, year, hour or second outside of its literal texts. `b` is
 * the year of the Buddhist calendar.
 */
export function isDateFormat(code: string): boolean {
  // `e` means a year too, except in the exponent of `0E+00`.
  return /[bdmyhs]|e(?![+-])/i.test(withoutText(code).replace(/general/gi, ''));
}

/** Whether a number format shows only the year of a date, in four digits. */
const isYearFormat = (code: string): boolean => /^y{3,4}(;@)?$/i.test(code.replace(/\[\$[^\][]*\]/g, ''));

/** Whether a number format shows a hundred times the number, with a percent sign. */
export const isPercentFormat = (code: string): boolean => withoutText(code).includes('%');

/** A number format without quoted text, escaped and padding characters, colours and conditions. */
export const withoutText = (code: string) =>
  code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi, '');
