// The rows of the sample, which all test files share: `rowsOf('2026-10')`. A build generates them once.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type SampleRows, sampleRows } from '../../../ingest/sample/sampleRows.ts';
import type { Month } from '../../../ingest/sample/tables/calendar.ts';

/**
 * The result of `sampleRows`. Reading it takes a fifth of the time of generating it. test/ingest/sample/sampleRows.test.ts
 * compares both.
 */
export function rowsOf(month: Month): SampleRows {
  const file = path.join(process.env.SHARED_DIR ?? '', `rows-${month}.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const rows = sampleRows(month);
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, JSON.stringify(rows));
  renameSync(beside, file);
  return rows;
}
