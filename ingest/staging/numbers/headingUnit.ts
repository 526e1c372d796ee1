// Finds the unit in a heading that has only a metric's name and a unit: `GGR_m`, `GGR | mn`, `GGR (百万)`, `GGR*1000`.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { headingKey } from '../../messages/spelling.ts';
import { type StatedUnit, unitBesideLabel } from '../../messages/statedUnits.ts';

/** The name of an amount as the heading spells it, and the unit behind it; null for any other heading. */
export function amountWithUnit(
  dataset: DatasetName,
  heading: string,
): { readonly name: string; readonly unit: StatedUnit } | null {
  if (heading.length > MOST_CHARACTERS) return null;
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
const MOST_CHARACTERS = 100;

/** Matches the characters between name and unit. */
const BREAK = /[^\p{L}\p{N}]+/gu;

/** Matches the characters around the unit: brackets, lines, multiplication signs. */
const AROUND = /^[^\p{L}\p{N}$€£¥₹₽₩₺'’‘]+|[^\p{L}\p{N}.$€£¥₹₽₩₺]+$/gu;

/** Whether a metric with this unit is an amount of money or a number of people, and not a rate or a percentage. */
export const isAmount = (unit: string): boolean => unit !== 'percent' && !unit.includes(' per ');
