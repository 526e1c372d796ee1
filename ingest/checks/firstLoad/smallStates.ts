// Warns of states whose figures are far too small for the number of their adults. They may be in thousands.

import { getOrInsert } from '../../../src/basics/maps.ts';
import { roundedPercent } from '../../messages/numbers.ts';
import type { StagedRows } from '../stagedRows.ts';
import { type CheckedFigures, productOf, warnOfRow } from './checkedFigures.ts';

/**
 * The largest share of a state in a market of its nation may be this many times smaller than its share of the adults, as in
 * the guard `relations`. In the sample it is at most 4 times smaller.
 */
const MOST_TIMES_SMALLER = 50;

/** A reported figure of a state, its share of the nation's figure, and the state's share of the adults. */
interface StateShare {
  readonly row: number;
  readonly share: number;
  readonly ofAdults: number;
}

const ratioOf = ({ share, ofAdults }: StateShare): number => share / ofAdults;

/** Reports each state once, for its smallest market. `indicators` has the rows of the dataset `country`. */
export function checkSmallStates(figures: CheckedFigures, indicators: StagedRows | undefined): void {
  const { staging, metric, rows, markets } = figures;
  if (indicators === undefined || rows.numbered('state').count < 2) return;
  const largest = new Map<number, StateShare>();
  for (const found of sharesOfStates(figures, indicators)) {
    const market = markets.numbers[found.row] as number;
    const known = largest.get(market);
    if (known === undefined || ratioOf(found) > ratioOf(known)) largest.set(market, found);
  }
  const smallest = new Map<string, StateShare>();
  for (const found of largest.values()) {
    if (ratioOf(found) * MOST_TIMES_SMALLER >= 1) continue;
    const state = (['country', 'state'] as const).map((name) => rows.dimension(name)[found.row]).join(' ');
    if (ratioOf(found) < ratioOf(getOrInsert(smallest, state, () => found))) smallest.set(state, found);
  }
  for (const { row, share, ofAdults } of smallest.values()) {
    const country = staging.text(rows.dimension('country')[row]);
    warnOfRow(figures, row, {
      problem: `${metric} of ${staging.text(rows.dimension('state')[row])} is at most ${roundedPercent(share, 2)} of that of ${country}${productOf(figures, row, ' in ')}, and the state has ${roundedPercent(ofAdults, 2)} of the adults`,
      remedy: 'check the unit of its figures',
      kind: `${metric} of a state far too small for its adults`,
      country,
    });
  }
}

/** The shares of all reported figures of states whose nation has the same figure, and whose adults are known. */
function sharesOfStates(
  { staging, metric, rows }: CheckedFigures,
  indicators: StagedRows,
): readonly StateShare[] {
  const [values, states, years] = [rows.values(metric), rows.dimension('state'), rows.dimension('year')];
  const [countries, temporals] = [rows.dimension('country'), rows.dimension('temporal')];
  const [noState, current] = [staging.code(''), staging.code('Current')];
  const groups = rows.groupsWithout(['state']);
  const nation = new Float64Array(groups.count);
  const ofStates: number[] = [];
  for (const [row, state] of states.entries()) {
    if (state === noState) nation[groups.numbers[row] as number] = values[row] as number;
    else if (temporals[row] === current) ofStates.push(row);
  }
  const adults = adultsOf(indicators, new Set(ofStates.map((row) => countries[row])));
  return ofStates.flatMap((row) => {
    const share = (values[row] as number) / (nation[groups.numbers[row] as number] as number);
    const of = (state: number | undefined) =>
      adults.get(`${countries[row]} ${state} ${years[row]}`) ?? Number.NaN;
    const ofAdults = of(states[row]) / of(noState);
    return share > 0 && Number.isFinite(share) && ofAdults > 0 ? [{ row, share, ofAdults }] : [];
  });
}

/** The adults of these countries and of their states, by the codes of country and state and the year. */
function adultsOf(
  indicators: StagedRows,
  countries: ReadonlySet<number | undefined>,
): ReadonlyMap<string, number> {
  const keys = (['country', 'state', 'year'] as const).map((name) => indicators.dimension(name));
  const values = indicators.values('adult_population');
  const known = new Map<string, number>();
  for (const [row, country] of indicators.dimension('country').entries())
    if (countries.has(country)) known.set(keys.map((key) => key[row]).join(' '), values[row] as number);
  return known;
}
