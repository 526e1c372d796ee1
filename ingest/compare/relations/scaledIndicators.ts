// Finds countries whose forecasts of an indicator all moved by one factor, though their reported figures did not.

import { metricUnit } from '../../../src/catalog/datasets.ts';
import { groupBy } from '../../../src/groupBy.ts';
import { isForecastRow, type Matched } from '../rows/matchedRows.ts';
import { type BrokenOfKind, brokenOf } from './relationLevels.ts';
import { ALIKE_SHARE, FEWEST_YEARS, MOVED_SHARE } from './scaledForecasts.ts';

/** A row of a year that both sides have and that differs, and the quotient of its values. */
interface Moved {
  readonly year: number;
  readonly ratio: number;
  readonly isForecast: boolean;
}

/** GDP in USD is left out, because its forecasts move by one factor where a rate does. Another relation compares them with the rates. */
export function scaledIndicators(matched: Matched): BrokenOfKind[] {
  const { codes, metrics, before } = matched;
  const nation = codes.codeOf('state', '');
  const isNation = (row: number) => before.code('state', row) === nation;
  const rows = [...matched.changed.before].flatMap((row, i) => {
    const after = matched.changed.after[i] as number;
    return row >= 0 && after >= 0 && isNation(row) ? [{ row, after }] : [];
  });
  const forecasts = new Map<number, number>();
  const country = before.codes('country');
  for (let row = 0; row < before.count; row += 1)
    if (isForecastRow(matched, before, row) && isNation(row))
      forecasts.set(country[row] as number, (forecasts.get(country[row] as number) ?? 0) + 1);
  return [...groupBy(rows, ({ row }) => country[row] as number)].flatMap(([code, own]) =>
    metrics.flatMap((metric, metricIndex) => {
      const unit = metricUnit(codes.dataset, metric);
      if (metric === 'gdp_usd' || unit === 'percent') return [];
      const moved = own.map(({ row, after }) => ({
        year: codes.yearOf(before, row),
        ratio: matched.after.value(metricIndex, after) / before.value(metricIndex, row),
        isForecast: isForecastRow(matched, before, row),
      }));
      const years = yearsScaled(moved, forecasts.get(code) ?? 0);
      if (years.length === 0) return [];
      return [
        brokenOf({
          relation: 'forecasts-scaled',
          dataset: codes.dataset,
          country: String(codes.valueOf('country', code)),
          places: [metric],
          years: years.map(({ year }) => year),
          after: years[0]?.ratio ?? 1,
        }),
      ];
    }),
  );
}

/** The forecasts, if all of them moved by one factor and the last reported figure by less than half of it. */
function yearsScaled(moved: readonly Moved[], forecasts: number): readonly Moved[] {
  const years = moved.filter(({ isForecast }) => isForecast).sort((a, b) => a.year - b.year);
  const [first] = years;
  if (first === undefined || years.length < Math.max(FEWEST_YEARS, forecasts)) return [];
  const factor = first.ratio;
  const isScaled =
    Math.abs(factor - 1) >= MOVED_SHARE - ALIKE_SHARE &&
    years.every(({ ratio }) => Math.abs(ratio / factor - 1) <= ALIKE_SHARE);
  const last = moved.find(({ year, isForecast }) => !isForecast && year === first.year - 1)?.ratio ?? 1;
  return isScaled && (last - 1) / (factor - 1) < 0.5 ? years : [];
}
