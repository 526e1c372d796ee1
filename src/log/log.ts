// Writes the log to stderr, as JSON or, on a terminal, as readable lines. A table defines the line of each observation.

import os from 'node:os';
import { pino } from 'pino';
import type { Observation, Observe, RequestAnswered } from '../observations.ts';
import { printableJson } from '../text/printable.ts';
import { ANSWERED, type AnsweredFacts, accessLine, answeredFacts } from './accessLog.ts';
import { BufferedLines } from './bufferedLines.ts';
import { readableLine } from './readableLine.ts';

/** Writes lines of the log, as pino does. */
export interface LogWriter {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  /** Writes the line of an answered request faster than `info` would. */
  answered?(facts: AnsweredFacts): void;
}

type Level = 'info' | 'warn' | 'error';

export interface LogOptions {
  /** Whether every answered request has a line; true when left out. */
  readonly hasAccessLog?: boolean;
}

interface Line {
  readonly level: Level;
  readonly message: string;
  readonly facts: object;
}

/** Makes a consumer of observations that writes their log lines. */
export function logTo(writer: LogWriter, { hasAccessLog = true }: LogOptions = {}): Observe {
  return (observation) => {
    if (observation.event === 'request answered') {
      const facts = hasAccessLog ? answeredFacts(observation) : null;
      if (facts === null) return;
      if (writer.answered) writer.answered(facts);
      else writer.info(facts, ANSWERED);
      return;
    }
    const line = lineOf(observation);
    if (line !== null) writer[line.level](line.facts, line.message);
  };
}

/**
 * Opens the log of this process, on stderr or another descriptor.
 *
 * Lines are written in batches, because a write for each line would take a tenth of the time of a request.
 */
export function openLog(level: string, fd: number = process.stderr.fd): LogWriter {
  const written = new BufferedLines(fd);
  process.once('exit', () => written.flushSync(FLUSH_MS));
  const { isTTY } = process.stderr;
  const printed = printableLines(written);
  const lines = isTTY ? readableLines(printed) : printed;
  const base = { pid: process.pid, hostname: os.hostname() };
  const log = pino({ level, base }, lines);
  const lineOfAnswer = accessLine(base);
  // The lines of answered requests are printable already.
  const accessLines = isTTY ? lines : written;
  const answered = (facts: AnsweredFacts) => accessLines.write(lineOfAnswer(facts, Date.now()));
  return {
    info: (facts, message) => log.info(facts, message),
    warn: (facts, message) => log.warn(facts, message),
    error: (facts, message) => log.error(facts, message),
    answered: log.isLevelEnabled('info') ? answered : () => {},
  };
}

type LineWriter = Pick<BufferedLines, 'write'>;

const readableLines = (lines: LineWriter): LineWriter => ({
  write: (line) => lines.write(readableLine(line)),
});

/** Escapes control characters, which would act on a terminal. File names and errors of DuckDB may contain them. */
const printableLines = (lines: LineWriter): LineWriter => ({
  write: (line) => lines.write(ASCII_LINE.test(line) ? line : printableJson(line)),
});

const ASCII_LINE = /^[ -~\n]*$/;

/** How long a process that ends waits for a slow reader of its log. */
const FLUSH_MS = 500;

/** All observations except answered requests, whose lines `accessLog.ts` composes. */
type RareObservation = Exclude<Observation, RequestAnswered>;
type Lines = {
  readonly [E in RareObservation['event']]: (
    observation: Extract<RareObservation, { event: E }>,
  ) => Line | null;
};

const line = (level: Level, message: string, facts: object = {}): Line => ({
  level,
  message,
  facts,
});

const LINES: Lines = {
  'request failed': ({ requestId, error }) => line('error', 'failed', { requestId, err: error }),
  'connection refused': ({ status, code, address }) => line('info', 'refused', { status, code, address }),
  'connection not accepted': ({ error }) =>
    line('error', 'a connection could not be accepted', { err: error }),
  // These are for the metrics. A line for each would be noise.
  'key checked': () => null,
  'gate answered': () => null,
  'rows selected': () => null,
  'export begun': () => null,
  'export ended': () => null,
  'export refused': () => null,
  'keys cannot be checked': ({ reason }) =>
    line('error', 'requests cannot be checked: answering 503', { reason }),
  'snapshot served': ({ snapshot }) => line('info', 'serving this snapshot', { snapshot }),
  'snapshot refused': ({ snapshot, reason }) => line('error', reason, { snapshot }),
  'snapshots cannot be followed': ({ error }) =>
    line('error', 'cannot follow the current snapshot', failureFacts(error)),
  'history read hangs': ({ file }) =>
    line('error', `reading ${file} hangs: see whether the disk or share of DATA_DIR answers`),
  'store up': ({ address }) => line('info', 'the snapshot store answers', { address }),
  'store failed': ({ reason }) => line('error', `${reason}; serving on what is here`),
  'snapshot fetched': ({ snapshot, bytes, durationMs }) =>
    line('info', 'fetched this snapshot from the store', { snapshot, bytes, durationMs }),
  'snapshot not fetched': ({ snapshot, reason }) =>
    line('error', `${reason}; requests for it get 503`, { snapshot }),
  'no snapshot': ({ dataDir }) =>
    line(
      'warn',
      `no snapshot in ${dataDir} yet: answering 503 until one is published; ` +
        '`npm run ingest -- publish <folder> --month YYYY-MM` makes one, and `make start` one of sample data',
      { dataDir },
    ),
  'redis up': () => line('info', 'Redis answers'),
  'redis down': () => line('error', 'Redis is away: answering 503 until it is back'),
  'redis loading': () => line('warn', 'Redis is loading its data: answering 503 until it has'),
  'redis refuses writes': ({ reason }) =>
    line('error', 'Redis refuses writes: requests cannot be counted, answering 503', { reason }),
  'redis takes writes': () => line('info', 'Redis takes writes again'),
  'redis may evict': ({ policy }) =>
    line(
      'warn',
      'Redis forgets keys and counted requests when its memory is full; set its maxmemory-policy to noeviction',
      { policy },
    ),
  'redis too old': ({ version }) =>
    line('error', `Redis ${version} is too old, and nobody can sign in: use Redis 6.2 or newer, or Valkey`),
  'library warned': ({ warning }) => line('warn', warning),
  'redis not reached': ({ reason, remedy }) =>
    line('error', 'Redis cannot be reached', { reason, ...(remedy !== undefined && { remedy }) }),
  'redis not started': ({ reason }) => line('error', 'the private Redis cannot be started', { reason }),
  'redis lost data': ({ reason }) => line('error', 'the private Redis has lost data', { reason }),
  'redis files gone': ({ reason, isWrittenAnew }) =>
    isWrittenAnew
      ? line('warn', 'the private Redis writes its files anew', { reason })
      : line(
          'error',
          'the private Redis has its data in memory only, and its next start would begin without keys: import a backup then',
          { reason },
        ),
  'redis failed a page': ({ reason }) => line('error', 'Redis did not do what a page asked', { reason }),
  'redis awaited': () => line('warn', 'Redis does not answer yet: answering 503 until it does'),
  'sign-in failed': ({ reason, remedy }) =>
    line('warn', 'nobody is signed in: the identity provider, or what it answered, failed', {
      reason,
      ...(remedy !== undefined && { remedy }),
    }),
  'few threads': ({ advice }) => line('warn', advice),
  'setting doubted': ({ advice }) => line('warn', advice),
  'links lead here only': ({ publicUrl, host }) =>
    line(
      'warn',
      `PUBLIC_URL is not set: claim and sign-in links begin with ${publicUrl}, which leads nowhere from other ` +
        'machines; set it to the address by which people reach the server',
      { host },
    ),
  'no claim link': ({ error }) =>
    line('error', 'no claim link could be made; npm run keys -- invite makes one', { err: error }),
  'drain begun': ({ closed, waitsFor }) =>
    line('info', `ending: ${waitsFor} unfinished connections are waited for`, { closed, waitsFor }),
  'drain waits': ({ unanswered, unread }) =>
    line('info', `ending: waiting for ${unanswered} answers and ${unread} slow readers`, {
      unanswered,
      unread,
    }),
  'drain ended': ({ durationMs, cut }) =>
    line(cut > 0 ? 'warn' : 'info', cut > 0 ? `ended: ${cut} connections were cut` : 'ended', {
      durationMs,
      cut,
    }),
  'reads hang': () =>
    line('warn', 'ended while reads of files hang: see whether the disk or share of DATA_DIR answers'),
  'worker died': ({ pid, code, signal }) =>
    line('error', 'a process of the server died: starting another', { died: pid, code, signal }),
};

/**
 * The message alone for a plain `Error`, because it says everything. An error of another class is a fault of the program,
 * and needs its stack.
 */
const failureFacts = (error: unknown): object =>
  error instanceof Error && error.constructor === Error ? { reason: error.message } : { err: error };

const lineOf = (observation: RareObservation): Line | null =>
  // The table pairs each event with its own shape, but TypeScript loses that pairing at an index.
  (LINES[observation.event] as (observation: RareObservation) => Line | null)(observation);
