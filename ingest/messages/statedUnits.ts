// Finds the unit of amounts that a text states, in many languages: `USD m`, `in thousands`, `€ 000`.

import { THOUSANDS_OR_TRILLIONS, UNITS, type Unit, unitNamed } from './unitNames.ts';
import {
  compoundPattern,
  MAY_STATE,
  PLAIN_TEXT,
  standsBesideCurrency,
  UNIT_ONLY,
  UNIT_ONLY_IN_CAPITALS,
  unitPatterns,
} from './unitPatterns.ts';

export interface StatedUnit extends Unit {
  /** The part of the text that states the unit: `USD m`. */
  readonly text: string;
}

/** Whether the currency code of a unit may be an English word: in `ggr_all_m`, `all` need not be the Albanian lek. */
export const isDoubtful = ({ text }: StatedUnit): boolean =>
  /^(?:[aA]ll|[bB]ad|[cC]up|[sS]it|[tT]op)(?![a-zA-Z])/.test(text);

/** The unit that a name states, such as that of a file, a sheet or a table: "GGR_EURm", "tblTurnoverInThousands". */
export const unitInName = (name: string): StatedUnit | null =>
  statedUnit(name) ?? statedUnit(name.replace(/_+|(?<=\p{Ll})(?=\p{Lu})/gu, ' '));

/**
 * The unit that a text states; null when it states none. In a long text, several spaces count as one, because the patterns
 * take minutes for 100,000 spaces. A text that is too long for a cell of a workbook states no unit.
 */
export function statedUnit(text: string): StatedUnit | null {
  const spaced = text.length > LONG_CHARACTERS ? text.replace(/\s+/g, ' ') : text;
  if (spaced.length > LONGEST_TEXT) return null;
  if (PLAIN_TEXT.test(spaced) && !MAY_STATE.test(spaced) && !standsBesideCurrency(spaced)) return null;
  const composed = spaced.normalize('NFC');
  const compound = compoundUnit(composed);
  if (compound !== null) return compound;
  for (const pattern of unitPatterns()) {
    const found = pattern.exec(composed);
    const unit = found === null ? undefined : unitNamed(found.groups?.unit ?? '');
    if (found !== null && unit !== undefined) return { text: found[0].trim(), ...unit };
  }
  return null;
}

/** The most characters of a text whose spaces are kept. It may be a heading, and its unit is cut out of it as written. */
const LONG_CHARACTERS = 500;

/** The most characters that a cell of a workbook can hold. */
const LONGEST_TEXT = 32_767;

/**
 * The unit that two words form together, by multiplication: `miles de millones`, `milliers de millions`,
 * `Tausend Millionen`.
 */
function compoundUnit(text: string): StatedUnit | null {
  const { 0: whole = '', groups = {} } = compoundPattern().exec(text) ?? {};
  const second = unitNamed(groups.second ?? groups.first ?? '');
  if (second === undefined) return null;
  const factor = `1e${Math.round(Math.log10(Number(second.factor) * timesOf(groups)))}`;
  const known = UNITS.findLast(([, unit]) => unit.factor === factor)?.[1];
  return { text: whole.trim(), word: known?.word ?? `units of ${factor}`, factor };
}

/** The factor of the first word of a compound unit. */
function timesOf({ tens, hundreds }: Readonly<Record<string, string | undefined>>): number {
  if (tens !== undefined) return 10;
  return hundreds !== undefined ? 100 : 1000;
}

/**
 * Matches ASCII texts without letters, digits and `$`. They state no unit. Number formats usually write only such texts,
 * and V8 takes milliseconds to compile the patterns of units.
 */
const NO_WORD = /^[\s!-#%-/:-@[-`{-~]*$/;

/**
 * The unit that a number format writes beside a number; null for any other text. Unlike in `statedUnit`, `m` alone is a
 * unit.
 *
 * @param divisor The number by which the format divides before it shows the amount. The factor of the unit is divided by it
 * too. The result is null when the factor becomes 1.
 */
export function unitBesideNumber(text: string, divisor = 1): StatedUnit | null {
  if (NO_WORD.test(text)) return null;
  const alone = (UNIT_ONLY.exec(text) ?? UNIT_ONLY_IN_CAPITALS.exec(text))?.groups?.unit;
  const unit = alone === 'T' ? THOUSANDS_OR_TRILLIONS : unitNamed(alone ?? '');
  const found = unit === undefined ? statedUnit(text) : { text: text.trim(), ...unit };
  return found === null || divisor === 1 ? found : dividedUnit(found, divisor);
}

/**
 * The unit in the cell beside a label, such as `m` beside `Unit` or 1000 beside `Scale factor`; null when there is none.
 */
export function unitBesideLabel(label: string, value: string | number): StatedUnit | null {
  if (!isUnitLabel(label)) return null;
  const number = Number(String(value).replace(/(?<=\d)[,. '](?=\d{3}(?!\d))/g, ''));
  const unit = unitOfFactor(number);
  if (unit !== undefined) return { text: `${value}`.trim(), ...unit };
  return typeof value === 'string' ? unitBesideNumber(value) : null;
}

/** Whether a text is the label of a unit: `Unit`, `Scale factor`, `Multiplier`. */
export const isUnitLabel = (text: string): boolean => LABEL.test(text);

const LABEL =
  /^\s*(?:units?(?: of measure(?:ment)?)?|unit[ _]mult(?:iplier)?|multiplier|multipl(?:ied|y) by|scal(?:e|ing)(?: factor)?|figures|amounts|values|einheit|unité|unidad|unità|eenheid|enhet)\s*(?:in\s*)?(?:[:=]\s*)?$/i;

/** The unit with this factor; undefined when there is none. A unit with two meanings, such as `mil`, does not count. */
const unitOfFactor = (factor: number): Unit | undefined =>
  UNITS.find(([, unit]) => Number(unit.factor) === factor && unit.otherFactor === undefined)?.[1];

function dividedUnit({ text, factor, otherFactor }: StatedUnit, divisor: number): StatedUnit | null {
  const divided = Number(factor) / divisor;
  const otherDivided = otherFactor === undefined ? undefined : Number(otherFactor) / divisor;
  if (divided === 1 || otherDivided === 1) return null;
  const written = (value: number) => `1e${Math.round(Math.log10(value))}`;
  return {
    text,
    word: unitOfFactor(Number(written(divided)))?.word ?? `units of ${written(divided)}`,
    factor: written(divided),
    ...(otherDivided !== undefined && { otherFactor: written(otherDivided) }),
  };
}
