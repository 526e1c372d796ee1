// The log on stderr: JSON lines, or readable ones on a terminal. One table maps each observation to its line.

import { type Logger, pino } from 'pino';
import { type BufferedLines, bufferedLines } from './bufferedLines.ts';
import type { Observation, Observe } from './observations.ts';
import { printableJson } from './printable.ts';
import { readableLine } from './readableLog.ts';

export interface LogWriter {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface LogOptions {
  /** Whether every answered request has a line; true when left out. */
  readonly hasAccessLog?: boolean;
}

interface Line {
  readonly level: keyof LogWriter;
  readonly message: string;
  readonly facts: object;
}

/** A consumer of observations that writes each one's log line, if it has one. */
export function logTo(writer: LogWriter, { hasAccessLog = true }: LogOptions = {}): Observe {
  return (observation) => {
    if (observation.event === 'request answered' && !hasAccessLog) return;
    const line = lineOf(observation);
    if (line !== null) writer[line.level](line.facts, line.message);
  };
}

/**
 * Opens the log of this process on stderr.
 *
 * Lines are written together: one write per line costs a tenth of a request.
 */
export function openLog(level: string): Logger {
  const written = bufferedLines(process.stderr.fd);
  process.once('exit', () => written.flushSync(FLUSH_MS));
  const lines = printableLines(written);
  const readable = { ...lines, write: (line: string) => lines.write(readableLine(line)) };
  return pino({ level }, process.stderr.isTTY ? readable : lines);
}

/** File names and engine errors may contain control characters, which would act on a terminal. Most lines have none. */
function printableLines(lines: BufferedLines): BufferedLines {
  return { ...lines, write: (line) => lines.write(ASCII_LINE.test(line) ? line : printableJson(line)) };
}

const ASCII_LINE = /^[ -~\n]*$/;

/** How long an ending process waits for a slow reader of its log. */
const FLUSH_MS = 500;

type Event = Observation['event'];
type Lines = { readonly [E in Event]: (observation: Extract<Observation, { event: E }>) => Line | null };

const line = (level: keyof LogWriter, message: string, facts: object = {}): Line => ({
  level,
  message,
  facts,
});

const LINES: Lines = {
  'request answered': ({ route, status, durationMs, bytes, isCutShort, details }) => {
    // Probes come every second and say nothing.
    if (route === '/healthz' || route === '/readyz') return null;
    const { requestId, method, path, address, keyId, snapshot } = details();
    return line('info', 'answered', {
      requestId,
      address,
      ...(keyId !== null && { keyId }),
      method,
      path,
      route,
      status,
      bytes,
      durationMs: Math.round(durationMs * 1000) / 1000,
      ...(snapshot !== null && { snapshot }),
      ...(isCutShort && { left: true }),
    });
  },
  'request failed': ({ requestId, error }) => line('error', 'failed', { requestId, err: error }),
  'connection refused': ({ status, code }) => line('info', 'refused', { status, code }),
  'connection not accepted': ({ error }) =>
    line('error', 'a connection could not be accepted', { err: error }),
  // For metrics: lines per request would be noise.
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
    line('error', 'cannot follow the current snapshot', { err: error }),
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
  'redis not reached': ({ reason }) => line('error', 'Redis cannot be reached yet', { reason }),
  'redis not started': ({ reason }) => line('error', 'the private Redis cannot be started', { reason }),
  'redis failed a page': ({ reason }) => line('error', 'Redis did not do what a page asked', { reason }),
  'redis awaited': () => line('warn', 'Redis does not answer yet: answering 503 until it does'),
  'few threads': ({ advice }) => line('warn', advice),
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
  'worker died': ({ pid, code, signal }) =>
    line('error', 'a process of the server died: starting another', { died: pid, code, signal }),
};

const lineOf = (observation: Observation): Line | null =>
  // The table pairs each event with its own shape, but TypeScript loses that pairing at an index.
  (LINES[observation.event] as (observation: Observation) => Line | null)(observation);
