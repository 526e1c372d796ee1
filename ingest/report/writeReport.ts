// Writes a report as JSON and as a page into the folder of a snapshot, before the snapshot is published.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { namingFile } from '../../src/system/systemError.ts';
import { reportHtml } from './reportHtml.ts';
import { reportJson } from './reportJson.ts';
import type { Report } from './reportTypes.ts';

/** The names of a report's files. */
const REPORT_JSON = 'report.json';
export const REPORT_HTML = 'report.html';

/** Writes both files into the folder that is about to be published. When that fails, nothing is published. */
export async function writeReport(directory: string, report: Report): Promise<void> {
  for (const [name, content] of [
    [REPORT_JSON, reportJson(report)],
    [REPORT_HTML, reportHtml(report)],
  ] as const) {
    const file = path.join(directory, name);
    await namingFile(file, writeFile(file, content));
  }
}
