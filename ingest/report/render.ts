// Puts a report on its page.

import { DATASET_NAMES } from '../../src/catalog/datasets.ts';
import { html } from '../../src/html.ts';
import { page } from './page.ts';
import { changesOf } from './sections/changes.ts';
import { checked } from './sections/checked.ts';
import { coverage } from './sections/coverage.ts';
import { read } from './sections/read.ts';
import { top } from './sections/top.ts';
import type { Report } from './types.ts';

/** report.html: one file that needs nothing else. The same report gives the same bytes. */
export function reportHtml(report: Report): string {
  return page(
    `${report.snapshot ?? report.month}: ${report.status === 'published' ? 'publication report' : 'report, not published'}`,
    top(report),
    [
      {
        id: 'changed',
        title: report.comparedWith === null ? 'What it holds' : 'What changed',
        body: html`${DATASET_NAMES.map((name) => changesOf(name, report))}`,
      },
      { id: 'coverage', title: 'Coverage', body: coverage(report) },
      { id: 'checked', title: 'What was checked', body: checked(report) },
      { id: 'read', title: 'What was read', body: read(report) },
    ],
    html`<p>The same for programs: report.json, beside this file. When it was published is in history.jsonl; a report holds no times, so that the same month gives the same report.</p>`,
  );
}
