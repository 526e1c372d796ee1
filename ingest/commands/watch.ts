// The command `watch <dir>`: publishes the folder of each month once it has a file READY, and reports the result.

import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MONTH } from '../../src/catalog/calendar.ts';
import { readConfig } from '../../src/config/config.ts';
import { isDiskFull, systemCode } from '../../src/system/systemError.ts';
import { writeWhole } from '../../src/system/wholeFile.ts';
import { type Outcome, typedPath } from '../../src/terminal/commandLine.ts';
import { UsageError } from '../../src/terminal/usageError.ts';
import { printable } from '../../src/text/printable.ts';
import { InterruptedError } from './exclusiveCommand.ts';
import { EXIT } from './exitCodes.ts';
import { failureOf } from './failure.ts';
import { publishFolder } from './publish/publishFolder.ts';
import { callWebhook } from './webhook.ts';

/** The file that the supplier of a month writes last. It marks the folder as complete. */
const READY_FILE = 'READY';

/** The name of READY while the folder is published. A publish does not read dotfiles as sources. */
const TAKEN_FILE = '.publishing';

/** The name of READY after the month was refused. Somebody must write READY again before the next attempt. */
const REFUSED_FILE = '.refused';

export interface WatchFlags {
  /** Whether the command ends after one look at the directory. A timer runs it this way. */
  readonly once?: true;
  /** The seconds between two looks at the directory. */
  readonly every: number;
}

interface HandledMonth {
  readonly month: string;
  readonly exitCode: number;
  /** The JSON document that `publish --json` prints. */
  readonly result: unknown;
}

/**
 * Publishes the folders `YYYY-MM` of a directory that have a file READY, in the order of their months. The result of
 * each is written to `YYYY-MM.json` beside the folder and sent to PUBLISH_WEBHOOK.
 *
 * A month with wrong sources, or with a refusal by a guard, waits until somebody writes READY again. After any other
 * failure, the month is tried again at the next look. A folder whose publication was interrupted counts as ready.
 *
 * @throws {InterruptedError} on SIGINT, SIGTERM and SIGHUP during a publication; at any other time they end the process.
 */
export async function watch(directory: string, flags: WatchFlags): Promise<Outcome> {
  const folder = typedPath('ingest', directory);
  const { publishWebhook } = readConfig(process.env);
  const handled: HandledMonth[] = [];
  const notes: string[] = [];
  /** The messages of the last look about folders that were passed over. The next look does not print them again. */
  let printedBefore: readonly string[] = [];
  const say = (lines: readonly string[]) => {
    if (flags.once) notes.push(...lines);
    else for (const line of lines) process.stderr.write(`${line}\n`);
  };
  // Without this line, the terminal would stay empty until the first month is ready.
  if (!flags.once)
    say([
      `looking into ${printable(directory)} every ${flags.every} s for a folder such as 2026-11 that has a file ${READY_FILE}; ctrl-C ends this`,
    ]);
  for (;;) {
    const { ready, passedOver } = await readyMonths(folder, directory);
    say(passedOver.filter((note) => !printedBefore.includes(note)));
    printedBefore = passedOver;
    for (const month of ready) {
      const attempt = await publishReady(folder, month);
      if (attempt === null) continue;
      const { attempted, isReportable, unwritten } = attempt;
      const news = unwritten.map((why) => `${month}: ${why}`);
      // The webhook is not called for a month that waits for another ingest, because it would be called at every look.
      if (publishWebhook !== null && isReportable && attempted.exitCode !== EXIT.locked) {
        const problem = await callWebhook(publishWebhook, { event: 'publish', ...attempted });
        if (problem !== null) news.push(`${month}: PUBLISH_WEBHOOK was not told: ${problem}`);
      }
      if (flags.once) handled.push(attempted);
      else say([monthText(attempted)]);
      say(news);
      // The later months wait too. If they were published first, this month would be compared with them.
      if (attempted.exitCode === EXIT.locked) break;
    }
    if (flags.once) return watchOutcome(handled, notes);
    await sleep(flags.every * 1000);
  }
}

function watchOutcome(handled: readonly HandledMonth[], notes: readonly string[]): Outcome {
  const text = handled.map((one) => `${monthText(one)}\n`).join('') || 'nothing is ready\n';
  const exitCode = handled.find((one) => one.exitCode !== EXIT.done)?.exitCode ?? EXIT.done;
  return {
    exitCode,
    json: { months: handled, notes },
    text,
    ...(notes.length > 0 && { note: notes.join('\n') }),
    ...(exitCode !== EXIT.done && { failed: true as const }),
  };
}

const monthText = ({ month, exitCode, result }: HandledMonth): string => {
  const { status, error } = result as { readonly status?: string; readonly error?: string };
  return `${month}: ${exitCode === EXIT.done ? status : `${error ?? status} (exit code ${exitCode}); see ${month}.json`}`;
};

interface ReadyMonths {
  /** The folders that can be published, in the order of their months. */
  readonly ready: readonly string[];
  /** One message for each folder that is not published although it is ready, or may be ready. */
  readonly passedOver: readonly string[];
}

/** @throws {UsageError} when the directory cannot be read. */
async function readyMonths(folder: string, typed: string): Promise<ReadyMonths> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${typed} cannot be read (${error.code}); name the folder that holds the months`);
  });
  const ready: string[] = [];
  const passedOver: string[] = [];
  if (entries.some(({ name }) => name === READY_FILE || name === TAKEN_FILE))
    passedOver.push(
      `${READY_FILE} is in ${printable(typed)} itself, which is not published; name the folder above it, which holds the months`,
    );
  const names = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name);
  for (const name of names.sort()) {
    const isMonth = MONTH.test(name);
    const files = await readdir(path.join(folder, name)).catch((error: NodeJS.ErrnoException): string[] => {
      if (isMonth && !['ENOENT', 'ENOTDIR'].includes(error.code ?? ''))
        passedOver.push(
          `${name} cannot be read (${error.code}), so it is not published; let the service's user read and write it`,
        );
      return [];
    });
    const isReady = files.includes(READY_FILE) || files.includes(TAKEN_FILE);
    if (isReady && isMonth) ready.push(name);
    else if (isReady)
      passedOver.push(
        `${printable(name)} has ${READY_FILE} and is not published: its name is not a month, such as 2026-11`,
      );
  }
  return { ready, passedOver };
}

/** The result of an attempt to publish a month that was ready. */
interface Attempt {
  readonly attempted: HandledMonth;
  /** False when READY could not be renamed, or another ingest was running. Every look then has the same result. */
  readonly isReportable: boolean;
  /** A message about each file of the inbox that could not be written afterwards. */
  readonly unwritten: readonly string[];
}

/** The result of an attempt to publish a month; null when another command has published or refused it since the look. */
async function publishReady(folder: string, month: string): Promise<Attempt | null> {
  const directory = path.join(folder, month);
  const [ready, taken, refused] = [READY_FILE, TAKEN_FILE, REFUSED_FILE].map((name) =>
    path.join(directory, name),
  ) as [string, string, string];
  const marker: { state: 'waiting' | 'untaken' | 'taken' } = { state: 'waiting' };
  // Only the command that holds the lock renames READY. Two commands would otherwise rename it while the other one reads.
  const begin = async () => {
    const untaken = await whyUnwritten(`${month}/${TAKEN_FILE}`, markTaken(ready, taken));
    marker.state = untaken === null ? 'taken' : 'untaken';
    if (untaken !== null) throw new Error(`nothing was published: ${untaken}`);
  };
  const { exitCode = EXIT.done, json } = await publishOrExplain(directory, month, begin);
  const attempted = { month, exitCode, result: json };
  const { state } = marker;
  if (state !== 'taken' && !existsSync(ready) && !existsSync(taken)) return null;
  if (state === 'untaken' || (state === 'waiting' && exitCode === EXIT.locked))
    return { attempted, isReportable: false, unwritten: [] };
  const isForPeople = [EXIT.usage, EXIT.unreadable, EXIT.wrong, EXIT.refused].some(
    (code) => code === exitCode,
  );
  const move = async () => {
    if (exitCode !== EXIT.done) return await rename(taken, isForPeople ? refused : ready);
    await rm(taken);
    // An earlier attempt left it.
    await rm(refused, { force: true });
  };
  const written = writeWhole(path.join(folder, `${month}.json`), `${JSON.stringify(attempted, null, 2)}\n`);
  const unwritten = await Promise.all([
    state === 'taken' ? whyUnwritten(`${month}/${TAKEN_FILE}`, move()) : null,
    whyUnwritten(`${month}.json`, written),
  ]);
  return { attempted, isReportable: true, unwritten: unwritten.filter((why) => why !== null) };
}

/**
 * Renames READY to the name that it has during the publication. An interrupted command may have left that name. The file is
 * then first renamed back, because a folder without write permission would otherwise pass unnoticed.
 */
async function markTaken(ready: string, taken: string): Promise<void> {
  await rename(taken, ready).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(ready, taken);
}

const ROOM_REMEDY = 'make room on the disk of the inbox';
const RIGHTS_REMEDY = "let the service's user write in the inbox, and move away what stands there";

/** Why a file of the inbox could not be written; null when it was. */
const whyUnwritten = (file: string, writing: Promise<void>): Promise<string | null> =>
  writing.then(
    () => null,
    (error) =>
      `${file} cannot be written (${systemCode(error)}); ${isDiskFull(error) ? ROOM_REMEDY : RIGHTS_REMEDY}`,
  );

async function publishOrExplain(
  directory: string,
  month: string,
  onLocked: () => Promise<void>,
): Promise<Outcome> {
  const options = {
    month,
    carry: [],
    numbers: [],
    missing: [],
    fillDown: [],
    scale: [],
    accept: [],
    reason: [],
  };
  try {
    return await publishFolder(directory, options, { onLocked });
  } catch (error) {
    // The interrupted publication may still be running, so READY keeps its new name and no other publication begins.
    if (error instanceof InterruptedError) throw error;
    const { exitCode, status, message } = failureOf(error);
    return { exitCode, json: { status, error: message }, text: `${message}\n`, failed: true };
  }
}
