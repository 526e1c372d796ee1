// Finds a unit that follows the name of a metric in a heading, without further words: `GGR_m`, `GGR | mn`, `GGR (百万)`, `GGR*1000`.

import { type DatasetName, datasetOf } from '../../../src/catalog/datasets.ts';
import { headingKey } from '../../messages/spelling.ts';
import { type StatedUnit, unitBesideLabel } from '../../messages/statedUnits.ts';

/** The name of an amount as the heading writes it, and the unit after it; null for any other heading. */
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

/** A longer text is no heading, and the search takes time with the square of its length. */
const MOST_CHARACTERS = 100;

const BREAK = /[^\p{L}\p{N}]+/gu;

/** What is around the unit: brackets, lines, signs of multiplication. */
const AROUND = /^[^\p{L}\p{N}$€£¥₹₽₩₺'’‘]+|[^\p{L}\p{N}.$€£¥₹₽₩₺]+$/gu;

/** Whether a metric of this unit is an amount or a number of people, neither a rate nor a percentage. */
export const isAmount = (unit: string): boolean => unit !== 'percent' && !unit.includes(' per ');
