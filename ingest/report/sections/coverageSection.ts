// Shows the coverage by country and year: figures for every dataset with years, and the changes in words.

import { groupBy } from '../../../src/basics/lists.ts';
import { DATASET_NAMES, type DatasetName } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/text/html.ts';
import type { CoverageChange } from '../../compare/comparisonTypes.ts';
import { count, counted, listed, yearSpans } from '../../messages/numbers.ts';
import { coverageChart } from '../charts/coverageChart.ts';
import type { DatasetReport, Report } from '../reportTypes.ts';
import type { CountryCoverage } from '../rowCoverage.ts';
import { withNonBreakingNumbers } from './nonBreakingNumbers.ts';
import { tableHtml } from './sectionTable.ts';

/** The most countries in one figure. More of them would not fit on a sheet of paper. */
const MOST_IN_FIGURE = 45;

/** The part of the page about the coverage of all datasets. */
export function coverageSection(report: Report): Html {
  const named = DATASET_NAMES.filter((name) => hasCoverage(report.datasets[name]));
  return html`<p>The years in which a country has rows.</p>
${report.comparedWith === null ? null : LEGEND}
${named.map((name) => ofDataset(name, report.datasets[name]))}`;
}

/** A line for each dataset whose coverage changed; null when nothing was compared. */
export function coverageInBrief(report: Report): Html | null {
  if (report.comparedWith === null) return null;
  const changed = DATASET_NAMES.filter((name) => report.datasets[name].coverage.changes.count > 0);
  if (changed.length === 0)
    return html`<p class="soft">Coverage: every country has rows in the same years, as many as before.</p>`;
  return html`<p><a href="#coverage">Coverage</a> changed, which moves totals without any revision:</p>
<ul>${changed.map((name) => html`<li>${name}: ${withNonBreakingNumbers(changesInWords(report.datasets[name].coverage.changes))}</li>`)}</ul>`;
}

const LEGEND = html`<ul class="legend"><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="has" width="28" height="12"/></svg>rows as before</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="new" x="8" width="12" height="12"/><path class="sign" d="M11 6h6M14 3v6"/></svg>new</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><path class="gone" d="M11 3l6 6m0 -6l-6 6"/></svg>gone</li><li><svg viewBox="0 0 28 12" aria-hidden="true"><rect class="has" width="28" height="12"/><circle class="other" cx="14" cy="6" r="2.5"/></svg>more or fewer rows</li></ul>`;

const hasCoverage = ({ coverage: { years, changes } }: DatasetReport) =>
  years.length > 0 || changes.count > 0;

function ofDataset(name: DatasetName, { coverage: ofAll, rows }: DatasetReport): Html {
  const { years, countries, changes } = ofAll;
  const byCountry = changesByCountry(changes.shown);
  const drawn = countries.shown.filter((country) => isRemarkable(country, ofAll, byCountry));
  const endedCountries = noLongerCovered(ofAll, byCountry);
  const panels = [
    ...panelsOf(drawn),
    ...(endedCountries.length > 0 ? [{ title: 'No longer covered', countries: endedCountries }] : []),
  ];
  const compared = rows.before !== null;
  const sentences = [
    `${counted(countries.count, 'country', 'countries')}${years.length === 0 ? '' : `, ${yearSpans(years)}`}.`,
    compared && panels.length > 0 ? changesInWords(changes) : '',
    drawn.length < countries.shown.length
      ? noteOnUndrawn(countries.shown.length - drawn.length, countries.count, compared)
      : '',
    countries.count > countries.shown.length
      ? `Only the first ${count(countries.shown.length)} countries are looked at.`
      : '',
  ];
  const all = [...years, ...changes.shown.map(({ year }) => year)];
  const span = [Math.min(...all), Math.max(...all)] as const;
  const figures = panels.map((panel) => coverageChart({ ...panel, years, changes: byCountry, span }));
  return html`<h4>${name}</h4>
<p>${withNonBreakingNumbers(sentences.filter((sentence) => sentence !== '').join(' '))}</p>
${panels.length === 0 ? null : html`<div class="panels">\n${figures}</div>`}
<details><summary>Coverage of ${name} in words</summary>
${coverageTable(name, ofAll, [...countries.shown, ...endedCountries], byCountry)}</details>`;
}

const coverageTable = (
  name: DatasetName,
  { years }: DatasetReport['coverage'],
  countries: readonly CountryCoverage[],
  byCountry: ChangesByCountry,
): Html =>
  tableHtml({
    label: `Coverage of ${name}`,
    columns: [
      { heading: 'country' },
      { heading: 'years' },
      { heading: 'rows', number: true },
      ...(byCountry.size > 0 ? [{ heading: 'changed' }] : []),
    ],
    rows: countries.map(({ country, rows: counts }) => [
      country,
      yearSpans(years.filter((_, i) => (counts[i] ?? 0) > 0)) || '–',
      count(counts.reduce((sum, n) => sum + n, 0)),
      ...(byCountry.size > 0 ? [inWords(byCountry.get(country))] : []),
    ]),
  });

type ChangesByCountry = ReadonlyMap<string, ReadonlyMap<number, CoverageChange>>;

function changesByCountry(changes: readonly CoverageChange[]): ChangesByCountry {
  const byCountry = new Map<string, Map<number, CoverageChange>>();
  for (const change of changes) {
    const years = byCountry.get(change.country) ?? new Map<number, CoverageChange>();
    byCountry.set(change.country, years.set(change.year, change));
  }
  return byCountry;
}

/**
 * Whether a country is drawn. A country with rows in every year and no listed change is left out. When the report does not
 * list all changes, every country is drawn.
 */
const isRemarkable = (
  { country, rows }: CountryCoverage,
  { changes }: DatasetReport['coverage'],
  byCountry: ChangesByCountry,
): boolean =>
  changes.count > changes.shown.length || byCountry.has(country) || rows.some((count) => count === 0);

/** The countries without a row now; empty when the report does not list all countries. */
function noLongerCovered(
  { countries }: DatasetReport['coverage'],
  byCountry: ChangesByCountry,
): CountryCoverage[] {
  if (countries.count > countries.shown.length) return [];
  const here = new Set(countries.shown.map(({ country }) => country));
  return [...byCountry.keys()]
    .filter((country) => !here.has(country))
    .map((country) => ({ region: '', country, rows: [] }));
}

/** The note about countries that are not drawn because their bars would be full. */
function noteOnUndrawn(whole: number, all: number, compared: boolean): string {
  const subject = whole === all ? 'Every country has' : `${counted(whole, 'country has', 'countries have')}`;
  return `${subject} rows in every year${compared ? ', as many as before' : ''}${whole === all ? '.' : ', and no bar here.'}`;
}

function changesInWords({ count: all, shown }: DatasetReport['coverage']['changes']): string {
  if (all === 0) return 'Every country has as many rows in every year as before.';
  const appeared = shown.filter(({ before }) => before === 0).length;
  const vanished = shown.filter(({ after }) => after === 0).length;
  const other = shown.length - appeared - vanished;
  const clauses = [
    appeared === 0 ? '' : `${count(appeared)} new`,
    vanished === 0 ? '' : `${count(vanished)} gone`,
    other === 0 ? '' : `${count(other)} with more or fewer rows than before`,
  ].filter((part) => part !== '');
  const cut = all === shown.length ? '' : `. Of these the first ${count(shown.length)} are marked`;
  return `${counted(all, 'country and year', 'pairs of country and year')} changed${cut}: ${listed(clauses)}.`;
}

function panelsOf(
  countries: readonly CountryCoverage[],
): { title: string; countries: readonly CountryCoverage[] }[] {
  const regions = groupBy(countries, ({ region }) => region);
  return [...regions].flatMap(([region, members]) => {
    const parts = Math.ceil(members.length / MOST_IN_FIGURE);
    const size = Math.ceil(members.length / parts);
    return Array.from({ length: parts }, (_, i) => ({
      title: parts === 1 ? region : `${region} (${i + 1} of ${parts})`,
      countries: members.slice(i * size, (i + 1) * size),
    }));
  });
}

const inWords = (changes: ReadonlyMap<number, CoverageChange> | undefined): string =>
  [...(changes?.values() ?? [])]
    .map(({ year, before, after }) => `${year}: ${count(before)} → ${count(after)}`)
    .join(', ');
