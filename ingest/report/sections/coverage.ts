// Coverage by country and year: a picture of every dataset that has years, and the same in words.

import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import type { CoverageChange } from '../../compare/types.ts';
import { coverageChart } from '../charts/coverage.ts';
import type { CountryCoverage } from '../coverage.ts';
import { type Html, html } from '../html.ts';
import type { DatasetReport, Report } from '../types.ts';
import { count, counted, listed, spans } from '../words.ts';
import { table } from './table.ts';

/** More countries than this in one figure would not fit on a sheet of paper. */
const MOST_IN_FIGURE = 45;

export function coverage(report: Report): Html {
  const named = DATASET_NAMES.filter((name) => report.datasets[name].coverage.years.length > 0);
  return html`<p>The years in which a country has rows. Where the number of rows is not what it was, a sign says so.</p>
${report.comparedWith === null ? null : LEGEND}
${named.map((name) => ofDataset(name, report.datasets[name]))}`;
}

const LEGEND = html`<ul class="legend"><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="has" width="28" height="12"/></svg>rows as before</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="new" x="8" width="12" height="12"/><path class="sign" d="M11 6h6M14 3v6"/></svg>new</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><path class="gone" d="M11 3l6 6m0 -6l-6 6"/></svg>gone</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="has" width="28" height="12"/><circle class="other" cx="14" cy="6" r="2.5"/></svg>more or fewer rows</li></ul>`;

function ofDataset(
  name: DatasetName,
  { coverage: { years, countries, changes }, rows }: DatasetReport,
): Html {
  const byCountry = new Map<string, Map<number, CoverageChange>>();
  for (const change of changes.shown) {
    const held = byCountry.get(change.country) ?? new Map<number, CoverageChange>();
    byCountry.set(change.country, held.set(change.year, change));
  }
  const here = new Set(countries.shown.map(({ country }) => country));
  const gone = [...byCountry.keys()]
    .filter((country) => !here.has(country) && countries.count === countries.shown.length)
    .map((country): CountryCoverage => ({ region: '', country, rows: [] }));
  const all = [...years, ...changes.shown.map(({ year }) => year)];
  const span = [Math.min(...all), Math.max(...all)] as const;
  const panels = [
    ...panelsOf(countries.shown),
    ...(gone.length > 0 ? [{ title: 'No longer covered', countries: gone }] : []),
  ];
  if (isEven({ years, countries, changes })) {
    return html`<h3>${name}</h3>
<p>${counted(countries.count, 'country', 'countries')}, and each has rows in every year of ${spans(years)}${rows.before === null ? '' : ', as many as before'}.</p>`;
  }
  return html`<h3>${name}</h3>
<p>${counted(countries.count, 'country', 'countries')}, ${spans(years)}. ${rows.before === null ? '' : changesInWords(changes)}${countries.count > countries.shown.length ? ` The first ${count(countries.shown.length)} countries are drawn.` : ''}</p>
<div class="panels">
${panels.map((panel) => coverageChart({ ...panel, years, changes: byCountry, span }))}</div>
<details><summary>Coverage of ${name} in words</summary>
${table({
  label: `Coverage of ${name}`,
  columns: [
    { heading: 'country' },
    { heading: 'years' },
    { heading: 'rows', number: true },
    { heading: 'changed' },
  ],
  rows: [...countries.shown, ...gone].map(({ country, rows: held }) => [
    country,
    spans(years.filter((_, i) => (held[i] ?? 0) > 0)) || '–',
    count(held.reduce((sum, n) => sum + n, 0)),
    inWords(byCountry.get(country)),
  ]),
})}</details>`;
}

/** Every country has every year, and nothing changed: a picture would show full bars. */
const isEven = ({ countries, changes }: DatasetReport['coverage']): boolean =>
  changes.count === 0 &&
  countries.count === countries.shown.length &&
  countries.shown.every(({ rows }) => rows.every((n) => n > 0));

function changesInWords({ count: all, shown }: DatasetReport['coverage']['changes']): string {
  if (all === 0) return 'Every country has as many rows in every year as before.';
  const appeared = shown.filter(({ before }) => before === 0).length;
  const vanished = shown.filter(({ after }) => after === 0).length;
  const other = shown.length - appeared - vanished;
  const said = [
    appeared === 0 ? '' : `${count(appeared)} new`,
    vanished === 0 ? '' : `${count(vanished)} gone`,
    other === 0 ? '' : `${count(other)} with more or fewer rows than before`,
  ].filter((part) => part !== '');
  const which = all === shown.length ? '' : ` Of these the first ${count(shown.length)} are marked:`;
  const opening = `${counted(all, 'year of a country', 'years of countries')} changed`;
  return which === '' ? `${opening}: ${listed(said)}.` : `${opening}.${which} ${listed(said)}.`;
}

function panelsOf(
  countries: readonly CountryCoverage[],
): { title: string; countries: readonly CountryCoverage[] }[] {
  const regions = new Map<string, CountryCoverage[]>();
  for (const country of countries) {
    const held = regions.get(country.region);
    if (held === undefined) regions.set(country.region, [country]);
    else held.push(country);
  }
  return [...regions].flatMap(([region, held]) => {
    const parts = Math.ceil(held.length / MOST_IN_FIGURE);
    const size = Math.ceil(held.length / parts);
    return Array.from({ length: parts }, (_, i) => ({
      title: parts === 1 ? region : `${region} (${i + 1} of ${parts})`,
      countries: held.slice(i * size, (i + 1) * size),
    }));
  });
}

const inWords = (changes: ReadonlyMap<number, CoverageChange> | undefined): string =>
  [...(changes?.values() ?? [])]
    .map(({ year, before, after }) => `${year}: ${count(before)} → ${count(after)}`)
    .join(', ');
