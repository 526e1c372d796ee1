// Says what a number format shows of a number, and makes the cell of the number from that.

import { NUMBER } from '../yearForms.ts';
import type { Cell } from './raw.ts';

/** What a number format shows of a number: a kind of cell, apart from its value. */
export type NumberKind =
  /** A date or a time of day, only the year of a date, or the number itself. */
  | { readonly kind: 'date' | 'year' | 'number' }
  | { readonly kind: 'percent' }
  | { readonly kind: 'priced'; readonly currency: string }
  | { readonly kind: 'divided'; readonly divisor?: number; readonly currency?: string }
  | ({ readonly kind: 'united'; readonly currency?: string } & FormatUnit)
  /** The number with a text beside it that turns a year into something else. NUMBER stands for the number. */
  | { readonly kind: 'in form'; readonly form: string };

/** A unit that a number format shows, and what it divides the number by before it shows it. */
export interface FormatUnit {
  readonly unit: string;
  /** The divisor; 1 when the format does not divide the number. */
  readonly divisor: number;
}

export const PLAIN: NumberKind = { kind: 'number' };

/** The cell of a number whose format shows it so; a plain number for one that shows dates. */
export function cellOfKind(kind: NumberKind, value: number): Cell {
  switch (kind.kind) {
    case 'percent':
    case 'priced':
    case 'divided':
    case 'united':
      return { ...kind, value };
    case 'in form':
      return canBeYear(value)
        ? { kind: 'marked year', value, shown: kind.form.replace(NUMBER, `${value}`).trim() }
        : value;
    default:
      return value;
  }
}

const canBeYear = (value: number): boolean => Number.isInteger(value) && value >= 1000 && value <= 9999;
