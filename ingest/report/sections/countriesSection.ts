// Shows the changes by country: one row for each country, with the changes of all datasets.

import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { type Html, html } from '../../../src/text/html.ts';
import { isRefused } from '../../guards/finding.ts';
import { amountText, changeText, count, counted, yearSpans } from '../../messages/numbers.ts';
import { changeBar } from '../charts/changeBar.ts';
import type { ChangedCountry, LinkTargets } from '../linkTargets.ts';
import type { Report } from '../reportTypes.ts';
import { titleOf } from '../totalsForReport.ts';
import { withNonBreakingNumbers } from './nonBreakingNumbers.ts';
import { type SectionCell, type SectionColumn, type SectionTable, tableHtml } from './sectionTable.ts';

/** The countries shown before the details; null when nothing was compared. */
export function changedCountries(report: Report, places: LinkTargets): Html | null {
  if (report.comparedWith === null) return null;
  const all = places.countries.length;
  if (all === 0) return html`<p>No country changed.</p>`;
  const countriesInBrief = places.inBrief;
  return html`${countryTable({
    label: 'What changed by country',
    countries: countriesInBrief,
    rowIds: countriesInBrief.map(({ id }) => id),
    named: true,
  })}
<p class="small soft">${withNonBreakingNumbers(`Total: the year’s sum of reported figures of a country that moved by the largest share, in any currency; of ggr and turnover where these moved, else of gdp_usd or adult_population. Begins and ends: years that have rows for the first time, or no longer; such a total grew by coverage, not by revision.`)}${all > countriesInBrief.length ? html` <a href="#all-countries">All ${counted(all, 'country', 'countries')} that changed</a>` : null}</p>`;
}

/** Every country that changed; null when the table before the details has all of them, or nothing was compared. */
export function countriesInFull(report: Report, places: LinkTargets): Html | null {
  if (report.comparedWith === null || places.countries.length <= places.inBrief.length) return null;
  const cut = DATASET_NAMES.filter((name) => {
    const { count: all, shown } = report.datasets[name].breakdown.countries;
    return all > shown.length;
  });
  return html`${countryTable({
    label: 'All countries that changed',
    countries: places.countries,
    rowIds: places.countries.map((country) => places.idInFull(country)),
    named: false,
  })}${cut.length === 0 ? null : html`<p class="small soft">Of ${cut.join(', ')} only the countries with most changes are listed.</p>`}`;
}

function countryTable({
  countries,
  ...shown
}: Pick<SectionTable, 'label' | 'rowIds' | 'named'> & {
  readonly countries: readonly ChangedCountry[];
}): Html {
  const most = Math.max(0, ...countries.map(({ total }) => Math.abs(total?.relative ?? 0)));
  const columns = COLUMNS.filter(({ rare }) => rare === undefined || countries.some(rare));
  return tableHtml({
    ...shown,
    columns,
    rows: countries.map((country) => columns.map(({ cell }) => cell(country, most))),
  });
}

interface CountryColumn extends SectionColumn {
  /** When given, the column is left out unless the function returns true for one of the countries. */
  readonly rare?: (country: ChangedCountry) => boolean;
  /** The cell of a country. `most` is the largest relative change in the table, which has the longest bar. */
  readonly cell: (country: ChangedCountry, most: number) => SectionCell;
}

type Count = 'revised' | 'added' | 'removed' | 'arrived';

const sumOf = (country: ChangedCountry, key: Count): number =>
  country.datasets.reduce((sum, { changes }) => sum + changes[key], 0);

const rareSum = (heading: string, key: Count): CountryColumn => ({
  heading,
  number: true,
  rare: (one) => sumOf(one, key) > 0,
  cell: (one) => count(sumOf(one, key)),
});

const COLUMNS: readonly CountryColumn[] = [
  {
    heading: 'country',
    cell: ({ country, findings }) => ({
      shown: html`${country}${findings.length === 0 ? null : html` <a class="mark ${findings.some(isRefused) ? 'stop' : 'mind'}" href="#verdict">! ${counted(findings.length, 'finding')}</a>`}`,
      value: country,
    }),
  },
  {
    heading: 'total that moved most',
    long: true,
    cell: ({ total }) =>
      total === null
        ? '–'
        : html`${titleOf(total)}, ${total.year}: <span class="keep">${amountText(total.before)} → ${amountText(total.after)}</span>`,
  },
  {
    heading: 'change',
    number: true,
    cell: ({ total }) => (total === null ? '' : { shown: changeText(total.relative), value: total.relative }),
  },
  { heading: '', cell: ({ total }, most) => (total === null ? '' : changeBar(total.relative, most)) },
  { heading: 'values changed', number: true, cell: (one) => count(sumOf(one, 'revised')) },
  rareSum('rows new', 'added'),
  rareSum('rows gone', 'removed'),
  rareSum('now reported', 'arrived'),
  {
    heading: 'begins',
    rare: ({ began }) => began.length > 0,
    cell: ({ began }) => yearSpans(began),
  },
  {
    heading: 'ends',
    rare: ({ ended }) => ended.length > 0,
    cell: ({ ended }) => yearSpans(ended),
  },
];
