// Widens a report to a number of countries: `withCountries(report, 260)`.

import type { Report } from '../../../ingest/report/reportTypes.ts';

/** Repeats the countries of a report under other names until there are `count` of them. */
export function withCountries(report: Report, count: number): Report {
  const widened = <T extends { readonly country: string }>({ shown }: { readonly shown: readonly T[] }) => {
    const times = Math.ceil(count / Math.max(1, shown.length));
    const all = Array.from({ length: times }, (_, i) =>
      shown.map((one) => ({ ...one, country: `${one.country}${i === 0 ? '' : ` the ${i + 1}th`}` })),
    );
    return { count, shown: all.flat().slice(0, count) };
  };
  const datasets = Object.fromEntries(
    Object.entries(report.datasets).map(([name, { breakdown, coverage, ...dataset }]) => [
      name,
      {
        ...dataset,
        breakdown: { ...breakdown, countries: widened(breakdown.countries) },
        coverage: { ...coverage, countries: widened(coverage.countries) },
      },
    ]),
  ) as unknown as Report['datasets'];
  return { ...report, datasets };
}
