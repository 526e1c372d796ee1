// Describes how a number format shows a number, and makes the cell of a number from that.

import { COMPARE } from './formatConditions.ts';
import type { Cell } from './rawFile.ts';
import { NUMBER } from './shownText.ts';

/** How a number format shows a number: the kind of its cell, without the value. */
export type NumberKind =
  /** A date or a time of day, only the year of a date, or the number itself. */
  | { readonly kind: 'date' | 'year' | 'number' }
  | { readonly kind: 'percent' }
  | { readonly kind: 'with currency'; readonly currency: string }
  | { readonly kind: 'divided'; readonly divisor?: number; readonly currency?: string }
  /** A number that is divided, or not, depending on its size. The first condition that it meets decides. */
  | {
      readonly kind: 'divided by size';
      readonly divisors: readonly ConditionalDivisor[];
      readonly currency?: string;
    }
  | ({ readonly kind: 'with unit'; readonly currency?: string } & FormatUnit)
  /** A number with a text beside it that makes a year something else: `FY2022`. In `form`, NUMBER stands for the number. */
  | { readonly kind: 'in form'; readonly form: string };

/** A unit that a number format shows, and the divisor of the format. */
export interface FormatUnit {
  readonly unit: string;
  /** The divisor; 1 when the format does not divide the number. */
  readonly divisor: number;
}

/** The divisor of the numbers that meet a condition, such as `>=` 1000000. */
export interface ConditionalDivisor {
  /** An operator of `COMPARE`; `''` when all numbers meet the condition. */
  readonly operator: string;
  readonly limit: number;
  readonly divisor: number;
}

export const PLAIN: NumberKind = { kind: 'number' };

/** The cell of a number that its format shows in this way. For a format of dates, it is the plain number. */
export function cellOfKind(kind: NumberKind, value: number): Cell {
  switch (kind.kind) {
    case 'percent':
    case 'with currency':
    case 'divided':
    case 'with unit':
      return { ...kind, value };
    case 'divided by size':
      return cellOfKind(kindBySize(kind, value), value);
    case 'in form':
      return canBeYear(value)
        ? { kind: 'marked year', value, shown: kind.form.replace(NUMBER, `${value}`).trim() }
        : value;
    default:
      return value;
  }
}

function kindBySize(
  { divisors, currency }: Extract<NumberKind, { readonly kind: 'divided by size' }>,
  value: number,
): NumberKind {
  const isMet = ({ operator, limit }: ConditionalDivisor) => COMPARE[operator]?.(value, limit) ?? true;
  const divisor = divisors.find(isMet)?.divisor ?? 1;
  const shown = currency === undefined ? {} : { currency };
  if (divisor > 1) return { kind: 'divided', divisor, ...shown };
  return currency === undefined ? PLAIN : { kind: 'with currency', currency };
}

const canBeYear = (value: number): boolean => Number.isInteger(value) && value >= 1000 && value <= 9999;
