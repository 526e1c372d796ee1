// Finds countries, products and markets whose states now add up to more than the nation.

import type { DimensionName } from '../../../src/catalog/datasets.ts';
import { GroupSums } from '../groupSums.ts';
import type { Rows } from '../rows/codedRows.ts';
import { MARKET, partName } from '../rows/countryParts.ts';
import { firstRowsOf, GroupNumbers, NO_GROUP } from '../rows/groupNumbers.ts';
import type { MatchedRows } from '../rows/matchedRows.ts';
import { rowsWhere } from '../rows/rowLists.ts';
import type { SideName, Sides } from '../side.ts';
import { type BrokenInYear, COUNTRY_LEVEL, LEAST_AMOUNT_OF_PART, LEVELS } from './relationLevels.ts';
import { sumsOfStates } from './sumsOfStates.ts';

/** The factor by which states may exceed their nation, because each is rounded. */
export const EXCEEDING_FACTOR = 1.02;

/** `EXCEEDING_FACTOR`, less the rounding error of a sum of many doubles. */
const EXCEEDING_FACTOR_AFTER_ROUNDING = EXCEEDING_FACTOR * (1 - 1e-9);

/**
 * The countries, products and markets whose states together exceed the nation in a year, and are a larger share of it than
 * on the earlier side.
 */
export function statesAboveNation(matched: MatchedRows, forecast: boolean): BrokenInYear[] {
  const { codes, after } = matched;
  if (matched.nationRowOf.after === null) return [];
  const isWanted = inChangedYears(matched, forecast);
  const nations = nationsWithStates(matched, 'after', isWanted);
  if (!mayExceed(nations, after.values(0))) return [];
  const nationsOf = { before: nationsWithStates(matched, 'before', isWanted), after: nations };
  const finest = new GroupNumbers(codes, ['country', 'year', ...MARKET]);
  const groupOf = {
    after: finest.addRows(after, nationsOf.after.rows),
    before: finest.addRows(matched.before, nationsOf.before.rows),
  };
  const grouped = { nationsOf, groupOf, groups: finest.count };
  return LEVELS.flatMap((parts, level) => placesAboveAt(level, parts, matched, grouped));
}

/** The rows of nations with states, grouped by country, year and the parts of the finest level. */
interface GroupedNations {
  readonly nationsOf: Sides<Nations>;
  /** The group of each of these rows. */
  readonly groupOf: Sides<Int32Array>;
  readonly groups: number;
}

/** The places of one level that broke the relation. */
function placesAboveAt(
  level: number,
  parts: readonly DimensionName[],
  matched: MatchedRows,
  { nationsOf, groupOf, groups }: GroupedNations,
): readonly BrokenInYear[] {
  const { codes, after } = matched;
  const places = new GroupNumbers(codes, ['country', 'year', ...parts]);
  // All levels share the finest groups. A group lies in one place, so the place of each group is looked up only once.
  const placeOfGroup = new Int32Array(groups).fill(NO_GROUP);
  const placesOf = (side: SideName) => {
    const { rows } = nationsOf[side];
    const found = new Int32Array(rows.length);
    fillPlaces(found, placeOfGroup, places, { rows: matched[side], list: rows, groupOf: groupOf[side] });
    return found;
  };
  const placeOf = { after: placesOf('after'), before: placesOf('before') };
  const limits = { places: places.count, least: level === COUNTRY_LEVEL ? 0 : LEAST_AMOUNT_OF_PART };
  const now = sharesOfStates(after, nationsOf.after, placeOf.after, limits);
  const then = sharesOfStates(matched.before, nationsOf.before, placeOf.before, limits);
  return placesAbove(now.shares, then.shares).map((place) => {
    const row = now.rows[place] as number;
    return {
      relation: 'states-above-nation',
      dataset: codes.dataset,
      country: codes.countryOf(after, row),
      year: codes.yearOf(after, row),
      level,
      place: partName(matched, after, row, parts),
      before: then.shares[place] as number,
      after: now.shares[place] as number,
    };
  });
}

// The loops of `fillPlaces` and `divide` are functions of their own, with no code after the loop. Otherwise V8 leaves the
// optimised code of the loop at the next line that has never run, and starts over in each call.

/** Writes the place of each listed row, by the row's finest group. Places that are not known yet are added. */
function fillPlaces(
  found: Int32Array,
  placeOfGroup: Int32Array,
  places: GroupNumbers,
  { rows, list, groupOf }: { rows: Rows; list: Int32Array; groupOf: Int32Array },
): void {
  for (let i = 0; i < list.length; i += 1) {
    const group = groupOf[i] as number;
    if (placeOfGroup[group] === NO_GROUP) placeOfGroup[group] = places.add(rows, list[i] as number);
    found[i] = placeOfGroup[group] as number;
  }
}

/**
 * Whether the states of some nation's row add up to more than the row. If no row is exceeded, no sum of rows is exceeded
 * either, apart from rounding.
 */
function mayExceed({ rows, sums }: Nations, values: Float64Array): boolean {
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] as number;
    const value = values[row] as number;
    if (!(value >= 0 && (sums[row] as number) <= value * EXCEEDING_FACTOR_AFTER_ROUNDING)) return true;
  }
  return false;
}

/** The places whose states exceed the nation, and are a larger share of it than before. */
function placesAbove(now: Float64Array, then: Float64Array): readonly number[] {
  const found: number[] = [];
  for (let place = 0; place < now.length; place += 1) {
    const share = now[place] as number;
    if (share > EXCEEDING_FACTOR && share > (then[place] as number) * EXCEEDING_FACTOR) found.push(place);
  }
  return found;
}

/**
 * Whether a row is wanted: a forecast or a reported row, whose country and year have a row that differs. In other years,
 * the share stayed the same.
 */
type IsWanted = (rows: Rows, row: number) => boolean;

function inChangedYears(matched: MatchedRows, forecast: boolean): IsWanted {
  const { codes, changed, before, after, flags } = matched;
  const years = codes.size('year');
  const isChanged = new Uint8Array(codes.size('country') * years);
  const placeOf = (rows: Rows) => {
    const [countryCodes, yearCodes] = [rows.codes('country'), rows.codes('year')];
    return (row: number) => (countryCodes[row] as number) * years + (yearCodes[row] as number);
  };
  const [old, fresh] = [placeOf(before), placeOf(after)];
  for (let i = 0; i < changed.count; i += 1) {
    const was = changed.before[i] as number;
    const is = changed.after[i] as number;
    if (was >= 0) isChanged[old(was)] = 1;
    if (is >= 0) isChanged[fresh(is)] = 1;
  }
  const wanted = Number(forecast);
  return (rows, row) =>
    isChanged[(rows === before ? old : fresh)(row)] === 1 &&
    (rows === before ? flags.before : flags.after).forecast[row] === wanted;
}

/** The rows of nations with states. `sums` has the sum of the states for each row of the side, by the row's index. */
interface Nations {
  readonly rows: Int32Array;
  readonly sums: Float64Array;
}

function nationsWithStates(matched: MatchedRows, side: SideName, isWanted: IsWanted): Nations {
  const known = sumsOfStates(matched, side);
  if (known === null) return { rows: new Int32Array(0), sums: new Float64Array(0) };
  const rows = rowsWhere(known.nations, (row) => isWanted(matched[side], row));
  return { rows, sums: known.sums };
}

interface Shares {
  /**
   * For each place, the sum of the states divided by the sum of the nation's rows; NaN if the nation is too small, or has
   * no figure.
   */
  readonly shares: Float64Array;
  /** For each place, the first of the nation's rows. */
  readonly rows: Int32Array;
}

/**
 * For each place, the figures of its states divided by those of its nation.
 *
 * @param placeOf The place of each of the nations' rows.
 * @param limits The number of places, and the least figure of a nation. Shares of smaller nations are NaN.
 */
function sharesOfStates(
  rows: Rows,
  { rows: list, sums }: Nations,
  placeOf: Int32Array,
  { places, least }: { places: number; least: number },
): Shares {
  const [ofStates, ofNations] = [new GroupSums(places), new GroupSums(places)];
  const shares = new Float64Array(places).fill(Number.NaN);
  ofStates.addRows(list, placeOf, sums, false);
  ofNations.addRows(list, placeOf, rows.values(0), false);
  divide(shares, ofStates, ofNations, least);
  return { shares, rows: firstRowsOf(placeOf, list, places) };
}

function divide(shares: Float64Array, ofStates: GroupSums, ofNations: GroupSums, least: number): void {
  for (let place = 0; place < shares.length; place += 1) {
    const nation = ofNations.at(place);
    const share = ofStates.at(place) / nation;
    if (Number.isFinite(share) && Math.abs(nation) >= least) shares[place] = share;
  }
}
