// Finds the countries that begin or end at each break in the coverage of a chart.

import type { ChartData, NamedBreak } from '../model/chartData.ts';
import { queryPairsOf, type Selection, valuesWithRows } from '../model/selection.ts';
import { coverageBreaks, withinYears } from '../model/series.ts';
import type { QueryPairs, RequestContext } from './client.ts';
import { type Failure, isFailure } from './failure.ts';
import type { Values } from './responseTypes.ts';

/**
 * The most breaks that are named. Each needs two requests. The last breaks matter most, because the summary of the chart
 * compares only years from the last break on.
 */
const MAX_BREAKS = 5;

/**
 * The last breaks in the period, ascending. There are none if values do not add up, or if the chart shows one country.
 */
export async function loadNamedBreaks(
  { selection, metric, series, notes }: Omit<ChartData, 'breaks'>,
  context: RequestContext,
): Promise<NamedBreak[] | Failure> {
  const { period, filters } = selection;
  if (!metric.adds_up || filters.country?.length === 1) return [];
  const inPeriod = series.map((one) => withinYears(one, period));
  const missing = notes.find((note) => note.kind === 'missing')?.missingByYear;
  const named: NamedBreak[] = [];
  for (const one of coverageBreaks(inPeriod).slice(-MAX_BREAKS)) {
    const [before, after] = await Promise.all([
      loadCountriesOf(one.yearBefore, selection, context),
      loadCountriesOf(one.year, selection, context),
    ]);
    if (isFailure(before)) return before;
    if (isFailure(after)) return after;
    named.push({
      ...one,
      beginning: after.filter((country) => !before.includes(country)),
      ending: before.filter((country) => !after.includes(country)),
      missingCount: missing?.get(one.year) ?? 0,
      missingCountBefore: missing?.get(one.yearBefore) ?? 0,
    });
  }
  return named;
}

/** The chosen countries that have rows in a year. */
async function loadCountriesOf(
  year: number,
  { dataset, filters }: Selection,
  context: RequestContext,
): Promise<string[] | Failure> {
  const pairs: QueryPairs = [
    ['dataset', dataset.name],
    ...queryPairsOf({ ...filters, year: [String(year)] }, null),
    ['dimension', 'country'],
  ];
  const reply = await context.ask<Values>('/v1/values', pairs, context);
  if (reply.kind !== 'ok') return reply;
  return valuesWithRows('country', filters, reply.body);
}
