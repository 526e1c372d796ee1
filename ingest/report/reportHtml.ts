// Arranges the page of a report: the verdict, the most important changes on a few screens, and all others as details.

import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import { type Html, html } from '../../src/text/html.ts';
import { LinkTargets } from './linkTargets.ts';
import { pageHtml } from './pageHtml.ts';
import type { Report } from './reportTypes.ts';
import { changesSection, titleOfDataset } from './sections/changesSection.ts';
import { checksSection } from './sections/checksSection.ts';
import { changedCountries, countriesInFull } from './sections/countriesSection.ts';
import { coverageInBrief, coverageSection } from './sections/coverageSection.ts';
import { concentratedChanges } from './sections/dimensionsSection.ts';
import { filesReadSection } from './sections/filesReadSection.ts';
import { largestRevisions } from './sections/largestRevisions.ts';
import { mainTotals } from './sections/totalsSection.ts';
import { verdictSection } from './sections/verdictSection.ts';

/** The content of report.html. It needs no other file. Equal reports give equal bytes. */
export function reportHtml(report: Report): string {
  const places = new LinkTargets(report);
  return pageHtml({
    title: `${report.snapshot ?? report.month}: ${report.status === 'published' ? 'publication report' : 'report, not published'}`,
    top: verdictSection(report, places),
    sections: present([
      {
        id: 'totals',
        title: report.comparedWith === null ? 'What it holds' : 'Totals',
        body: html`${mainTotals(report)}${coverageInBrief(report)}`,
      },
      { id: 'countries', title: 'What changed by country', body: changedCountries(report, places) },
      { id: 'dimensions', title: 'What changed by dimension', body: concentratedChanges(report) },
      { id: 'revisions', title: 'Largest revisions', body: largestRevisions(report) },
    ]),
    details: present<string | Html>([
      { id: 'all-countries', title: 'All countries that changed', body: countriesInFull(report, places) },
      ...DATASET_NAMES.map((name) => ({
        id: name,
        title: titleOfDataset(name),
        body: changesSection(name, report),
      })),
      { id: 'coverage', title: 'Coverage', body: coverageSection(report) },
      { id: 'checked', title: 'What was checked', body: checksSection(report, places) },
      { id: 'read', title: 'What was read', body: filesReadSection(report) },
    ]),
    foot: html`<p>The same for programs: report.json, beside this file. When it was published is in history.jsonl; a report holds no times, so that the same month gives the same report.</p>`,
  });
}

function present<Title extends string | Html>(
  sections: readonly { readonly id: string; readonly title: Title; readonly body: Html | null }[],
): { id: string; title: Title; body: Html }[] {
  return sections.flatMap(({ body, ...section }) => (body === null ? [] : [{ ...section, body }]));
}
