// Answers that may be kept: finished bytes with their ETag, for whoever asks the same of the same snapshot.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Kept, keepWithin } from '../../cache/lruCache.ts';
import type { Snapshot } from '../../catalog/snapshot.ts';
import { type Draft, finished, type Loan, owned } from '../../query/bytes.ts';
import type { HeaderList } from '../server/headers.ts';
import { isNotModified, type Ready, readyJson, sendEmpty, sendReady } from '../server/send.ts';

/** A change to how answers are written must change their ETags: count it up then. */
const RENDERING = 1;

/** What is known of an answer before, and kept after, its body is made. */
interface Answer {
  readonly etag: string;
  readonly headers: HeaderList;
  /** Kept when it is small or asked for again: most pages of a walk are asked for once. */
  plain: Ready | null;
  /** Begun before it is asked for, and for one who asks, who finishes it. */
  ahead: Draft | null;
  /** Made when a client first takes it so. */
  gzipped: Ready | null;
  /** On its way: whoever else asks waits for it. */
  zipping: Promise<Ready> | null;
  next: string | null;
}

export interface Asked<Found> {
  readonly snapshot: Snapshot;
  /** Everything but the snapshot that the body depends on, in one text. */
  readonly question: string;
  readonly find: () => Found | Promise<Found>;
  /** Called once for all who ask at the same time, and for a large body once more. */
  readonly write: (found: Found) => Written;
}

export interface Written {
  readonly draft: Draft;
  /** How whoever asked this would ask for what follows it; null when that is not known or nothing follows. */
  readonly next: string | null;
}

/** The question must be known to be a valid one. */
export interface Answers {
  /**
   * 200 with the body, or 304 without having made it (ruling 19). Gives what is likely to be asked next, and whether
   * to be answered with gzip.
   */
  send<Found>(request: IncomingMessage, response: ServerResponse, asked: Asked<Found>): Promise<Next | null>;
  /** Makes an answer that will be asked for, a little at a time, and keeps it. */
  prepare<Found>(asked: Asked<Found>, zipped: boolean): Promise<void>;
}

export interface Next {
  readonly question: string;
  readonly zipped: boolean;
}

/** What kept answers may take; the longest unused go first. */
const KEPT_BYTES = 64 * 2 ** 20;

export function keptAnswers(maxAgeSeconds: number, keptBytes: number = KEPT_BYTES): Answers {
  const kept: Kept<Answer> = keepWithin(keptBytes);
  const cacheControl = `private, max-age=${maxAgeSeconds}`;

  const keep = (key: string, answer: Answer) => kept.set(key, answer, bytesOf(key, answer));

  /** The plain body, which is the caller's to release. */
  async function plainOf<Found>(key: string, answer: Answer, asked: Asked<Found>): Promise<Loan> {
    const isAskedAgain = kept.get(key) !== undefined;
    // Kept before it is made: who asks meanwhile shares what comes of it.
    keep(key, answer);
    const found = await asked.find();
    if (answer.plain !== null) return owned(answer.plain.body);
    const { draft, next } = asked.write(found);
    answer.next = next;
    return settled(key, answer, draft.finish(), isAskedAgain);
  }

  /** Keeps a body that is worth it; the caller's to release. */
  function settled(key: string, answer: Answer, body: Loan, isAskedAgain: boolean): Loan {
    if (body.isLent && !isAskedAgain) return body;
    answer.plain = readyJson(answer.headers, body.keep());
    keep(key, answer);
    return owned(answer.plain.body);
  }

  /** Writes the plain body in many turns, between which others are answered. Null when whoever asked was quicker. */
  async function plainAhead<Found>(key: string, answer: Answer, asked: Asked<Found>): Promise<Loan | null> {
    const isAskedAgain = kept.get(key) !== undefined;
    keep(key, answer);
    const found = await asked.find();
    if (answer.plain !== null || answer.ahead !== null) return null;
    const { draft, next } = asked.write(found);
    answer.next = next;
    answer.ahead = draft;
    try {
      while (!draft.writeSome()) {
        await nextTurn();
        if (answer.ahead !== draft) return null;
      }
    } finally {
      // Nobody goes on with what broke off in the middle of a row.
      if (answer.ahead === draft) answer.ahead = null;
    }
    return settled(key, answer, draft.finish(), isAskedAgain);
  }

  /** The plain body, made before or made ahead; the caller's to release. */
  function takeMade(key: string, answer: Answer): Loan | null {
    const { plain, ahead } = answer;
    if (plain !== null) return owned(plain.body);
    if (ahead === null) return null;
    answer.ahead = null;
    keep(key, answer);
    return settled(key, answer, ahead.finish(), false);
  }

  async function zippedOf(key: string, answer: Answer, plain: Loan): Promise<Ready> {
    answer.zipping ??= zip(plain.bytes, { level: ZIP_LEVEL })
      .then((body) => {
        answer.gzipped = readyJson(answer.headers.concat(GZIP), body);
        keep(key, answer);
        return answer.gzipped;
      })
      .finally(() => {
        answer.zipping = null;
      });
    const ready = await answer.zipping;
    plain.release();
    return ready;
  }

  return {
    async send(request, response, asked) {
      const key = keyOf(asked);
      const answer = kept.get(key) ?? newAnswer(asked.snapshot, key, cacheControl);
      if (isNotModified(request, answer.etag)) {
        sendEmpty(response, 304, answer.headers);
        return null;
      }
      const zipped = takesGzip(request);
      const ready = keptOf(answer, zipped) ?? (zipped ? await answer.zipping : null);
      if (ready !== null) sendReady(response, 200, ready);
      else {
        const plain = takeMade(key, answer) ?? (await plainOf(key, answer, asked));
        if (isZipped(plain.bytes, zipped)) sendReady(response, 200, await zippedOf(key, answer, plain));
        else {
          sendReady(response, 200, readyJson(answer.headers, plain.bytes));
          // To the last byte with the system, which has its own copy.
          if (response.writableFinished) plain.release();
        }
      }
      return answer.next === null ? null : { question: answer.next, zipped };
    },
    async prepare(asked, zipped) {
      const key = keyOf(asked);
      const answer = kept.get(key) ?? newAnswer(asked.snapshot, key, cacheControl);
      if (keptOf(answer, zipped) !== null) return;
      const plain = takeMade(key, answer) ?? (await plainAhead(key, answer, asked));
      if (plain === null) return;
      if (isZipped(plain.bytes, zipped)) await zippedOf(key, answer, plain);
      else if (answer.plain === null) {
        answer.ahead = finished(plain);
        keep(key, answer);
      }
    },
  };
}

const keyOf = ({ snapshot, question }: Pick<Asked<never>, 'snapshot' | 'question'>) =>
  `${snapshot.id} ${snapshot.fingerprint} ${question}`;

const isZipped = (plain: Buffer, zipped: boolean) => zipped && plain.length >= WORTH_ZIPPING_BYTES;

/** What is kept of an answer in the form that is sent. */
const keptOf = ({ plain, gzipped }: Answer, zipped: boolean): Ready | null =>
  zipped && gzipped !== null ? gzipped : plain !== null && !isZipped(plain.body, zipped) ? plain : null;

/** The ETag is the same on every server with that snapshot. Weak: the same rows may come compressed. */
function newAnswer(snapshot: Snapshot, key: string, cacheControl: string): Answer {
  const digest = createHash('sha256').update(`${RENDERING} ${key}`).digest('base64url').slice(0, 22);
  const etag = `W/"${digest}"`;
  const headers = ['ETag', etag, 'Cache-Control', cacheControl, 'X-Snapshot', snapshot.id];
  return { etag, headers, plain: null, ahead: null, gzipped: null, zipping: null, next: null };
}

/** What an answer takes besides its bodies and two questions: headers, entry. */
const ENTRY_BYTES = 1024;

const bytesOf = (key: string, { plain, ahead, gzipped }: Answer) =>
  ENTRY_BYTES +
  4 * key.length +
  (plain?.body.length ?? 0) +
  // With the room around it, which nobody else can use meanwhile.
  (ahead?.roomBytes ?? 0) +
  (gzipped?.body.length ?? 0);

/** Below this a packet more or less is all there is to win. */
const WORTH_ZIPPING_BYTES = 1400;
/** Nine tenths of what the slowest level saves, in a quarter of its time. */
const ZIP_LEVEL = 4;
const GZIP: HeaderList = ['Content-Encoding', 'gzip'];

const zip = promisify(gzip) as (body: Buffer, options: { level: number }) => Promise<Buffer>;

/** Whether the client says it takes gzip (RFC 9110 §12.5.3); `*` alone says so too. */
export function takesGzip(request: IncomingMessage): boolean {
  const given = request.headers['accept-encoding'];
  if (given === undefined) return false;
  const weights = new Map(
    given.split(',').map((part): [string, number] => {
      const [coding = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters
        .map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1])
        .find((q) => q !== undefined);
      return [coding.trim(), Number(weight ?? 1)];
    }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
