// Publishes, rolls back and prunes in a loop while clients query the server.
// Compares every answer with the snapshot that it names.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { prune } from '../../ingest/store/prune.ts';
import { rollback } from '../../ingest/store/rollback.ts';
import { startProgram } from '../support/program.ts';
import { aDataDir, aRow, publishRows, type Row } from '../support/snapshot.ts';

export interface UnderLoad {
  /** The number of answers; all were checked. */
  readonly answers: number;
  /** Walks that reached their end on the snapshot with which they began. */
  readonly walked: number;
  /** Walks whose snapshot was removed before their end. */
  readonly ended: number;
  /** The snapshots that the answers name. */
  readonly seen: ReadonlySet<string>;
  /** Wrong answers, in words. */
  readonly wrong: readonly string[];
  /** The errors in the server's log. */
  readonly errors: readonly string[];
  /** The server's resident memory after the first and after the last round, in MB. */
  readonly memoryMb: readonly [first: number, last: number];
}

const COUNTRIES = ['Malta', 'Peru', 'Spain'];
const YEARS = Array.from({ length: 40 }, (_, i) => 1985 + i);

/** The rows of a snapshot. No two snapshots have a row in common. */
const rowsOf = (id: string): Row[] =>
  COUNTRIES.flatMap((country) =>
    YEARS.map((year) =>
      aRow('ggr', { country, year, product: id, ggr: Number(id.split('.')[1]) + year / 10_000 }),
    ),
  );

const answered = (id: string, country: string | null) =>
  rowsOf(id)
    .filter((row) => country === null || row.country === country)
    .map(({ ggr, ...dimensions }) => ({ dimensions, values: { ggr } }));

/** Each round has two publications, a rollback and a removal. */
export async function publishUnderLoad(rounds: number, perSecond: number): Promise<UnderLoad> {
  const { dataDir, remove } = await aDataDir();
  let revision = 0;
  const publishNext = () => {
    revision += 1;
    return publishRows(dataDir, `2026-11.${revision}`, { ggr: rowsOf(`2026-11.${revision}`) });
  };
  await publishNext();
  const server = await aServer(dataDir);
  const clients = new Clients(server.url, perSecond);
  let firstMb = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      for (const step of [
        publishNext,
        publishNext,
        () => rollback(dataDir, undefined, { at: new Date() }),
        async () => {
          const options = { dataDir, keep: round % 4, at: new Date() };
          // A walk may notice the removal before the command reports it.
          const { removed } = await prune({ ...options, dryRun: true });
          for (const { id } of removed) clients.removed.add(id);
          await prune({ ...options, dryRun: false });
        },
      ]) {
        await step();
        await sleep(50 + ((round * 37) % 150));
      }
      if (round === 0) firstMb = await server.memoryMb();
    }
    // The server gets time to follow the last change.
    await sleep(1000);
    const asked = await clients.stop();
    return { ...asked, errors: server.errors, memoryMb: [firstMb, await server.memoryMb()] };
  } finally {
    await clients.stop();
    await server.stop();
    await remove();
  }
}

/**
 * Clients that send `perSecond` requests: in turn pages of walks, countries, the catalog, and repetitions with their ETag.
 */
class Clients {
  /** The snapshots that were removed. The test adds them. */
  readonly removed = new Set<string>();
  readonly #url: string;
  readonly #timer: NodeJS.Timeout;
  readonly #seen = new Set<string>();
  readonly #wrong: string[] = [];
  readonly #counts = { answers: 0, walked: 0, ended: 0 };
  readonly #running = new Set<Promise<void>>();
  readonly #walks: readonly Walk[] = Array.from({ length: 4 }, () => ({ ...NEW_WALK, isAsking: false }));
  #turn = 0;

  constructor(url: string, perSecond: number) {
    this.#url = url;
    this.#timer = setInterval(() => this.#next(), 1000 / perSecond);
  }

  async stop() {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    return { ...this.#counts, seen: this.#seen, wrong: this.#wrong };
  }

  #next(): void {
    this.#turn += 1;
    const asking = this.#ask(this.#turn).catch((error: unknown) => void this.#wrong.push(String(error)));
    this.#running.add(asking);
    void asking.finally(() => this.#running.delete(asking));
  }

  #ask(turn: number): Promise<void> {
    const walk = this.#walks[Math.floor(turn / 2) % this.#walks.length];
    if (turn % 2 === 0 && walk !== undefined) return this.#page(walk);
    return turn % 10 === 1 ? this.#catalog() : this.#country(turn);
  }

  async #get(query: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.#url}/v1/${query}`, { headers });
    const text = await response.text();
    this.#counts.answers += 1;
    const id = response.headers.get('x-snapshot');
    if (id !== null) this.#seen.add(id);
    return { status: response.status, id, text, etag: response.headers.get('etag') ?? '' };
  }

  #expect(isRight: boolean, what: string): void {
    if (!isRight) this.#wrong.push(what);
  }

  async #country(n: number): Promise<void> {
    const name = COUNTRIES[n % COUNTRIES.length] ?? '';
    const { status, id, text } = await this.#get(`financials?metric=ggr&limit=1000&country=${name}`);
    const isRight = status === 200 && id !== null && same(JSON.parse(text).data, answered(id, name));
    this.#expect(isRight, `${name} of ${id}: ${status} ${text.slice(0, 200)}`);
  }

  async #catalog(): Promise<void> {
    const { status, id, etag } = await this.#get('catalog');
    this.#expect(status === 200 && id !== null, `catalog: ${status}`);
    const again = await this.#get('catalog', { 'if-none-match': etag });
    const isRight = again.status === (again.id === id ? 304 : 200);
    this.#expect(isRight, `catalog of ${again.id} after ${id}: ${again.status}`);
  }

  async #page(walk: Walk): Promise<void> {
    if (walk.isAsking) return;
    walk.isAsking = true;
    const cursor = walk.cursor === null ? '' : `&cursor=${walk.cursor}`;
    const { status, id, text } = await this.#get(`financials?metric=ggr&limit=17${cursor}`);
    const begun = walk.id;
    if (status === 400 && begun !== null && this.removed.has(begun)) {
      const isRight = JSON.parse(text).error === 'Invalid pagination cursor';
      this.#expect(isRight, `walk on removed ${begun}: ${text}`);
      this.#counts.ended += 1;
      Object.assign(walk, NEW_WALK);
    } else if (status !== 200 || id === null || (begun !== null && id !== begun)) {
      this.#expect(false, `walk on ${begun}, answered by ${id}: ${status} ${text.slice(0, 200)}`);
      Object.assign(walk, NEW_WALK);
    } else this.#addPage(walk, id, text);
    walk.isAsking = false;
  }

  /** Adds a page to its walk. The rows of a finished walk must be those of its snapshot. */
  #addPage(walk: Walk, id: string, text: string): void {
    const { data, pagination } = JSON.parse(text);
    Object.assign(walk, { id, cursor: pagination.cursor, rows: [...walk.rows, ...data] });
    if (pagination.has_more) return;
    const isRight = same(walk.rows, answered(id, null));
    this.#expect(isRight, `walk on ${id}: ${walk.rows.length} rows that are not its own`);
    this.#counts.walked += 1;
    Object.assign(walk, NEW_WALK);
  }
}

interface Walk {
  id: string | null;
  cursor: string | null;
  rows: readonly unknown[];
  isAsking: boolean;
}

const NEW_WALK = { id: null, cursor: null, rows: [] } as const;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Starts the server as a process, without keys. */
async function aServer(dataDir: string) {
  const child = await startProgram('test/long/programs/serveWithoutKeys.ts', [dataDir], { stderr: 'pipe' });
  const errors: string[] = [];
  child.stderr?.on('data', (text) => errors.push(String(text)));
  const [port] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error(`the server ended: ${errors.join('')}`);
    }),
  ]);
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    errors,
    async memoryMb() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
