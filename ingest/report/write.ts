// Writes a report beside a snapshot's files, before they become the snapshot: as JSON and as a page.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { reportJson } from './json.ts';
import { reportHtml } from './render.ts';
import type { Report } from './types.ts';

/** The names of a report's files. */
export const REPORT_JSON = 'report.json';
export const REPORT_HTML = 'report.html';

/** Writes both files into the folder that is about to be published; a failure there publishes nothing. */
export async function writeReport(directory: string, report: Report): Promise<void> {
  await writeFile(path.join(directory, REPORT_JSON), reportJson(report));
  await writeFile(path.join(directory, REPORT_HTML), reportHtml(report));
}
