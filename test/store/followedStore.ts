// A server that follows a store with three published months: `const world = followedStore()` in a test file.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { joinStore } from '../../ingest/store/sharedStore.ts';
import { parseStoreAddress } from '../../src/catalog/storeAddress.ts';
import { logTo } from '../../src/log/log.ts';
import type { Observation } from '../../src/observations.ts';
import { followStore, type StoreFollower } from '../../src/store/followStore.ts';
import { ObjectStore } from '../../src/store/objectStore.ts';
import { aMonth, csvOf, type Month } from '../support/month.ts';
import { STORE_LOGIN, startStore, type TestStore } from '../support/objectStoreServer.ts';
import { ingestCommand } from '../support/runInProcess.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';

export const STORE = 's3://snapshots/team';
const MONTHS = ['2026-09', '2026-10', '2026-11'];
const POLL_MS = 100;

interface Folder {
  readonly dataDir: string;
  readonly remove: () => Promise<void>;
}

/** The answer to a request for ggr. */
interface Answer {
  readonly status: number;
  /** The snapshot that answered. */
  readonly from: string | null;
  readonly value: number | undefined;
  readonly retryAfter: string | null;
}

/** Adds the hooks to the test file. Each test gets a new store, a new data directory and, once started, a new server. */
export function followedStore(): FollowedStore {
  const world = new FollowedStore();
  beforeAll(() => world.publishMonths());
  afterAll(() => world.removePublisher());
  beforeEach(() => world.begin());
  afterEach(() => world.end());
  return world;
}

export class FollowedStore {
  /** The objects of a store with three months, whose ggr is 1, 2 and 3. */
  published: ReadonlyMap<string, Buffer> = new Map();
  /** The history of these months. */
  history = '';
  /** The warnings and errors of the log. */
  lines: string[] = [];
  observed: Observation[] = [];
  /** Is called with each observation while it is made. */
  onObserved: (observation: Observation) => void = () => {};
  #store: TestStore | null = null;
  #here: Folder | null = null;
  #server: TestServer | null = null;
  #follower: StoreFollower | null = null;
  #publisher: Folder | null = null;
  #sources: Month | null = null;

  get store(): TestStore {
    return there(this.#store);
  }

  /** The data directory of the server. */
  get dataDir(): string {
    return there(this.#here).dataDir;
  }

  get server(): TestServer {
    return there(this.#server);
  }

  async publishMonths(): Promise<void> {
    const [sources, publisher, store] = await Promise.all([aMonth(), aDataDir(), startStore()]);
    [this.#sources, this.#publisher] = [sources, publisher];
    for (const [i, month] of MONTHS.entries()) {
      const shared = await joinStore(publisher.dataDir, new ObjectStore(addressOf(STORE), loginOf(store)));
      await publishRows(publisher.dataDir, `${month}.1`, { ggr: [aRow('ggr', { ggr: i + 1 })] }, shared);
    }
    this.published = new Map(store.objects);
    this.history = await readFile(path.join(publisher.dataDir, 'history.jsonl'), 'utf8');
    await store.close();
  }

  async removePublisher(): Promise<void> {
    await Promise.all([this.#sources?.remove(), this.#publisher?.remove()]);
  }

  async begin(): Promise<void> {
    [this.#store, this.#here] = await Promise.all([startStore(), aDataDir()]);
    for (const [name, content] of this.published) this.#store.objects.set(name, content);
    [this.#server, this.#follower, this.lines, this.observed] = [null, null, [], []];
    this.onObserved = () => {};
  }

  async end(): Promise<void> {
    await this.#follower?.close();
    await this.#server?.close();
    await Promise.all([this.#store?.close(), this.#here?.remove()]);
  }

  /** Starts a server on the data directory that follows the store. */
  async start(
    login: Record<string, string> = STORE_LOGIN,
    bucket = STORE,
    pollMs = POLL_MS,
  ): Promise<TestServer> {
    const write = (_: object, message: string) => void this.lines.push(message);
    const log = logTo({ info() {}, warn: write, error: write });
    const follower = followStore({
      dataDir: this.dataDir,
      store: new ObjectStore(addressOf(bucket), loginOf(this.store, login)),
      observe: (observation) => {
        this.observed.push(observation);
        this.onObserved(observation);
        log(observation);
      },
      pollMs,
    });
    this.#follower = follower;
    this.#server = await startServer({
      dataDir: this.dataDir,
      follow: { source: follower },
      readiness: { isRedisUp: () => true, isWarm: () => true, isStoreUp: follower.isUp },
    });
    return this.#server;
  }

  /** Starts a store with the same objects and the same address as the closed one. */
  async restartStore(): Promise<void> {
    const { endpoint, objects } = this.store;
    this.#store = await startStore(Number(new URL(endpoint).port));
    for (const [name, content] of objects) this.#store.objects.set(name, content);
  }

  /** Publishes a month with one figure of ggr, from a data directory that stands for another machine. */
  async publish(month: string, ggr: number) {
    const sources = there(this.#sources);
    await sources.write({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr })]) });
    const accept = ['totals', 'closed-years', 'revisions', 'relations', 'units', 'structure'].flatMap(
      (rule) => ['--accept', rule, '--reason', 'test'],
    );
    return this.command('publish', sources.directory, '--month', month, ...accept);
  }

  /** Runs an ingest command on the data directory that stands for another machine. */
  command(...args: readonly string[]) {
    return ingestCommand(there(this.#publisher).dataDir, args, {
      SNAPSHOT_STORE: STORE,
      AWS_ENDPOINT_URL: this.store.endpoint,
      ...STORE_LOGIN,
    });
  }

  /** Asks the server for ggr. */
  async ggr(snapshot?: string): Promise<Answer> {
    const asked = snapshot === undefined ? {} : { 'X-Snapshot': snapshot };
    const { status, headers, json } = await this.server.get('/v1/financials?metric=ggr', asked);
    return {
      status,
      from: headers.get('x-snapshot'),
      value: json?.data?.[0]?.values?.ggr,
      retryAfter: headers.get('retry-after'),
    };
  }

  /**
   * Waits until the server serves a snapshot, and then expects it in an answer. It sends no requests while it waits,
   * because they would keep a slow machine busy.
   */
  async serves(id: string): Promise<void> {
    await until(`serving ${id}`, () => {
      const lease = this.server.snapshots.current();
      lease?.release();
      return lease?.snapshot.id === id;
    });
    expect((await this.ggr()).from).toBe(id);
  }
}

/** Waits until `isSo` returns true. Throws after 100 s. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; !(await isSo()); turns++) {
    if (turns > 5000) throw new Error(`${what} did not happen within 100 s`);
    await sleep(20);
  }
}

/** Waits for four polls of the store: a message that is wrongly logged at each poll is then in the log more than once. */
export const somePolls = () => sleep(4 * POLL_MS);

function there<Part>(part: Part | null): Part {
  if (part === null) throw new Error('not started yet');
  return part;
}

function addressOf(bucket: string) {
  const address = parseStoreAddress(bucket);
  if (address === undefined) throw new Error('no address');
  return address;
}

const loginOf = ({ endpoint }: TestStore, login: Record<string, string> = STORE_LOGIN) => ({
  AWS_ENDPOINT_URL_S3: endpoint,
  ...login,
});
