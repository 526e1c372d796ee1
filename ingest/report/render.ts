// Arranges the page of a report: the verdict, the most important changes on a few screens, and all others as details.

import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import { type Html, html } from '../../src/text/html.ts';
import { page } from './page.ts';
import { Places } from './places.ts';
import { changedCountries, countriesInFull } from './sections/byCountry.ts';
import { byDimension } from './sections/byDimension.ts';
import { changesOf, titleOfDataset } from './sections/changes.ts';
import { checked } from './sections/checked.ts';
import { coverage, coverageInBrief } from './sections/coverage.ts';
import { largestRevisions } from './sections/largest.ts';
import { read } from './sections/read.ts';
import { mainTotals } from './sections/totals.ts';
import { verdict } from './sections/verdict.ts';
import type { Report } from './types.ts';

/** The content of report.html. It needs no other file. Equal reports give equal bytes. */
export function reportHtml(report: Report): string {
  const places = new Places(report);
  return page({
    title: `${report.snapshot ?? report.month}: ${report.status === 'published' ? 'publication report' : 'report, not published'}`,
    top: verdict(report, places),
    sections: present([
      {
        id: 'totals',
        title: report.comparedWith === null ? 'What it holds' : 'Totals',
        body: html`${mainTotals(report)}${coverageInBrief(report)}`,
      },
      { id: 'countries', title: 'What changed by country', body: changedCountries(report, places) },
      { id: 'dimensions', title: 'What changed by dimension', body: byDimension(report) },
      { id: 'revisions', title: 'Largest revisions', body: largestRevisions(report) },
    ]),
    details: present<string | Html>([
      { id: 'all-countries', title: 'All countries that changed', body: countriesInFull(report, places) },
      ...DATASET_NAMES.map((name) => ({
        id: name,
        title: titleOfDataset(name),
        body: changesOf(name, report),
      })),
      { id: 'coverage', title: 'Coverage', body: coverage(report) },
      { id: 'checked', title: 'What was checked', body: checked(report, places) },
      { id: 'read', title: 'What was read', body: read(report) },
    ]),
    foot: html`<p>The same for programs: report.json, beside this file. When it was published is in history.jsonl; a report holds no times, so that the same month gives the same report.</p>`,
  });
}

function present<Title extends string | Html>(
  sections: readonly { readonly id: string; readonly title: Title; readonly body: Html | null }[],
): { id: string; title: Title; body: Html }[] {
  return sections.flatMap(({ body, ...section }) => (body === null ? [] : [{ ...section, body }]));
}
