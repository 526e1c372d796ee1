// Warns of a month that may be mistyped, and of a clock that is or was wrong.

import path from 'node:path';
import { currentId } from '../../../src/catalog/dataDirectory.ts';
import { HISTORY_FILE, readHistory } from '../../../src/catalog/readHistory.ts';
import { count } from '../../messages/numbers.ts';
import { wholeFile } from '../../messages/place.ts';
import type { Problems } from '../../messages/problems.ts';
import type { PublishOptions } from './publishOptions.ts';

/** Warns of a month that may be mistyped, and of a clock that is or was wrong. */
export async function warnOfMonth(options: PublishOptions, problems: Problems): Promise<void> {
  warnOfOtherFolder(options, problems);
  await warnOfOddMonth(options, problems);
  await warnOfWrongClock(options, problems);
}

/** Warns when the folder of the sources is named after another month. Either the files or `--month` may be wrong. */
function warnOfOtherFolder({ directory, month }: PublishOptions, problems: Problems): void {
  const folder = path.basename(path.resolve(directory));
  if (!/^\d{4}-\d{2}$/.test(folder) || folder === month) return;
  problems.add('warning', wholeFile(month), {
    problem: `is published from a folder that is named ${folder}`,
    remedy: 'check both: these may be the files of another month',
  });
}

/**
 * Warns when the month is before the current snapshot's, or more than a year after it. An older month may be a correction,
 * but it would replace newer data as `current`. A much later month may be a typing error. Once it is published, every real
 * month counts as older.
 */
async function warnOfOddMonth(options: PublishOptions, problems: Problems): Promise<void> {
  const current = await currentId(options.dataDir);
  if (current === null) return;
  const monthsAfter = monthNumber(options.month) - monthNumber(current);
  if (monthsAfter < 0)
    problems.add('warning', wholeFile(options.month), {
      problem: `is before the current snapshot ${current} and would replace it as current`,
      remedy: `check the month; after the correction of an older month, make the newer one current again with \`ingest rollback ${current}\``,
    });
  if (monthsAfter > 12)
    problems.add('warning', wholeFile(options.month), {
      problem: `is ${count(monthsAfter)} months after the current snapshot ${current}`,
      remedy:
        'check the month: once it is current, every month before it is taken for a correction of an older one',
    });
}

/**
 * Warns when the history has a time after the present one: the clock is wrong now, or was wrong then. The times of the
 * history must ascend, so this publication is recorded with the later time. Until that time, a day in X-Snapshot means an
 * older snapshot.
 */
async function warnOfWrongClock({ dataDir, month, at }: PublishOptions, problems: Problems): Promise<void> {
  const dated = (await readHistory(dataDir)).findLast(
    (one) => Date.parse(one.at) > at.getTime() + CLOCKS_DIFFER_MS,
  );
  if (dated === undefined) return;
  problems.add('warning', wholeFile(month), {
    problem: `the clock says ${minute(at.toISOString())} UTC, and ${dated.id} was ${dated.event} later, at ${minute(dated.at)}`,
    remedy: `correct the clock, or that time in ${HISTORY_FILE}: until then a day in X-Snapshot means an older snapshot`,
  });
}

/** The clocks of two publishers may differ by so much without a warning. */
const CLOCKS_DIFFER_MS = 60 * 60 * 1000;

const minute = (time: string): string => time.slice(0, 16).replace('T', ' ');

/**
 * A number for a month. Successive months have successive numbers.
 *
 * @param text A month or the id of a snapshot.
 */
function monthNumber(text: string): number {
  const [year = 0, month = 0] = text.split(/[-.]/).map(Number);
  return year * 12 + month;
}
