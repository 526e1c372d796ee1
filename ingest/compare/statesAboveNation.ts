// Finds countries, products and markets whose states now add up to more than the nation.

import type { DatasetName } from '../../src/catalog/datasets.ts';
import { Sums } from './cells.ts';
import { Groups, NO_GROUP } from './groups.ts';
import { isForecastRow, type Matched, rowOf } from './matched.ts';
import { type Broken, LEVELS, partName } from './relationLevels.ts';
import type { Rows } from './rows.ts';

/** States may exceed their nation by this share, because each is rounded. */
const EXCEEDS = 1.02;

/** Smaller parts of a nation are not checked, because rounding moves them by more. */
const LEAST = 1000;

/** Years whose states add up to a larger share of the nation than before, and to more than the nation. */
export function statesAboveNation(matched: Matched, dataset: DatasetName): Broken[] {
  const { codes, after } = matched;
  if (matched.stateRows.after === null) return [];
  const isChanged = countriesThatChanged(matched);
  const told = {
    before: nationsWithStates(matched, 'before', isChanged),
    after: nationsWithStates(matched, 'after', isChanged),
  };
  return [...LEVELS.entries()].flatMap(([level, parts]) => {
    const places = new Groups(codes, ['country', 'year', ...parts]);
    const least = level === 0 ? 0 : LEAST;
    const now = sharesOfStates(matched.after, told.after, places, least);
    const then = sharesOfStates(matched.before, told.before, places, least);
    return [...now].flatMap(([place, { share, row }]): Broken[] => {
      const was = then.get(place)?.share ?? Number.NaN;
      if (!(share > EXCEEDS && share > was * EXCEEDS)) return [];
      const country = String(codes.valueOf('country', after.code('country', row)));
      const year = Number(codes.valueOf('year', after.code('year', row)));
      const where = {
        dataset,
        country,
        year,
        currency: null,
        level,
        place: partName(matched, after, row, parts),
      };
      return [{ relation: 'states-above-nation', ...where, before: was, after: share }];
    });
  });
}

type SideName = 'before' | 'after';

/** Only countries with a changed row can have a new share. */
function countriesThatChanged(matched: Matched): Uint8Array {
  const isChanged = new Uint8Array(matched.codes.size('country'));
  for (let i = 0; i < matched.changed.count; i += 1) {
    const [rows, row] = rowOf(matched, i);
    isChanged[rows.code('country', row)] = 1;
  }
  return isChanged;
}

/** The sum of the states of each group of `StateRows`; NaN without states. */
function statesOfGroups({ stateRows, ...matched }: Matched, side: SideName): Float64Array {
  const { groupOf, groups } = stateRows[side] ?? { groupOf: new Int32Array(0), groups: 0 };
  const rows = matched[side];
  const [states, values] = [rows.codes('state'), rows.values(0)];
  const sums = new Float64Array(groups).fill(Number.NaN);
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    if (states[row] === 0 || group === NO_GROUP) continue;
    const sum = sums[group] as number;
    sums[group] = (Number.isNaN(sum) ? 0 : sum) + ((values[row] as number) || 0);
  }
  return sums;
}

/** The reported rows of nations with states, and the sum of the states of each. */
interface Nations {
  readonly rows: Int32Array;
  readonly ofStates: Float64Array;
}

function nationsWithStates(matched: Matched, side: SideName, isChanged: Uint8Array): Nations {
  const { groupOf } = matched.stateRows[side] ?? { groupOf: new Int32Array(0) };
  const { [side]: rows } = matched;
  const [states, countries] = [rows.codes('state'), rows.codes('country')];
  const sums = statesOfGroups(matched, side);
  const found = new Int32Array(groupOf.length);
  const ofStates = new Float64Array(groupOf.length);
  let count = 0;
  for (let row = 0; row < groupOf.length; row += 1) {
    const group = groupOf[row] as number;
    if (states[row] !== 0 || group === NO_GROUP || isChanged[countries[row] as number] === 0) continue;
    const sum = sums[group] as number;
    if (Number.isNaN(sum) || isForecastRow(matched, rows, row)) continue;
    found[count] = row;
    ofStates[count] = sum;
    count += 1;
  }
  return { rows: found.slice(0, count), ofStates: ofStates.slice(0, count) };
}

/** By place: the sum of the states divided by the nation's rows, and one of those rows. */
function sharesOfStates(
  rows: Rows,
  { rows: list, ofStates }: Nations,
  places: Groups,
  least: number,
): ReadonlyMap<number, { readonly share: number; readonly row: number }> {
  const values = rows.values(0);
  const [parts, wholes] = [new Sums(), new Sums()];
  const placeOf = places.addRows(rows, list);
  const rowOfPlace = new Int32Array(places.count).fill(-1);
  for (let i = 0; i < list.length; i += 1) {
    const [place, row] = [placeOf[i] as number, list[i] as number];
    rowOfPlace[place] = row;
    parts.add(place, ofStates[i] as number);
    wholes.add(place, values[row] as number);
  }
  const shares = new Map<number, { share: number; row: number }>();
  for (let place = 0; place < rowOfPlace.length; place += 1) {
    const row = rowOfPlace[place] as number;
    if (row < 0) continue;
    const whole = wholes.at(place);
    const share = parts.at(place) / whole;
    if (Number.isFinite(share) && Math.abs(whole) >= least) shares.set(place, { share, row });
  }
  return shares;
}
