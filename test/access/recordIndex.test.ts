// An index of records follows the audit log. It reads only the records that an act has named.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type IndexedKind, type RecordIndex, updateIndex } from '../../src/access/recordIndex.ts';
import { AUDIT } from '../../src/access/redis/keyNames.ts';
import { openDatabase, type TestDatabase } from '../support/redis.ts';

let redis: TestDatabase;
beforeAll(async () => {
  redis = await openDatabase();
});
afterAll(() => redis.close());
beforeEach(() => redis.empty());

interface Item {
  readonly id: string;
  readonly createdMs: number;
  readonly text: string;
}

const IDS = 'item-ids';
const NOW_MS = 1_700_000_000_000;

/** The hashes that were read since the last look. */
let readHashes: string[] = [];

const ITEMS: IndexedKind<Item> = {
  ids: IDS,
  changedBy: ({ keyId }) => [keyId],
  async read(client, hashes) {
    readHashes.push(...hashes);
    const found = await Promise.all(hashes.map((hash) => client.hgetall(`item:${hash}`)));
    return found.flatMap(({ id = '', created, text = '' }) =>
      text ? { id, createdMs: Number(created), text } : [],
    );
  },
};

const put = async (id: string, text: string, created = Number(id)) => {
  await redis.client.hset(`item:h${id}`, { id, created, text });
  await redis.client.hset(IDS, id, `h${id}`);
};
const remove = async (id: string) => {
  await redis.client.del(`item:h${id}`);
  await redis.client.hdel(IDS, id);
};
/** Records an act on an item, `afterMs` after the test's first moment. */
const act = (afterMs: number, id: string) =>
  redis.client.xadd(AUDIT, `${NOW_MS + afterMs}-*`, 'by', 'ada', 'act', 'limits', 'keyId', id);

const look = async (before: RecordIndex<Item> | null, kind = ITEMS) => {
  readHashes = [];
  const known = await updateIndex(redis.client, kind, before);
  return { known, texts: known.items.map(({ text }) => text), read: [...readHashes].sort() };
};

describe('records that the audit log names', () => {
  beforeEach(async () => {
    for (const id of ['2', '1', '3']) await put(id, `old ${id}`);
    // This act is on a record that does not exist.
    await act(0, '9');
  });

  it('are read once, in their order, and then only those that an act has named since', async () => {
    const first = await look(null);
    expect([first.texts, first.read]).toEqual([
      ['old 1', 'old 2', 'old 3'],
      ['h1', 'h2', 'h3'],
    ]);
    expect(first.known.seenMs).toBe(NOW_MS);
    expect(first.known.hashes).toEqual(new Map([1, 2, 3].map((id) => [`${id}`, `h${id}`])));
    await put('2', 'new 2');
    await act(10_000, '2');
    const second = await look(first.known);
    expect([second.texts, second.read]).toEqual([['old 1', 'new 2', 'old 3'], ['h2']]);
    expect(second.known.seenMs).toBe(NOW_MS + 10_000);
  });

  it('are read again while an act is so recent that it may take effect after it was seen', async () => {
    await act(20_000, '3');
    await act(20_001, '1');
    await act(26_000, '2');
    const { known } = await look(null);
    for (const id of ['1', '2', '3']) await put(id, `new ${id}`);
    const next = await look(known);
    expect([next.texts, next.read]).toEqual([
      ['new 1', 'new 2', 'new 3'],
      ['h1', 'h2', 'h3'],
    ]);
    // An act is recent for six seconds, inclusive: the act on item 3 (at 20,000 ms) is recent at 26,000, but not at
    // 26,001.
    await act(26_001, '1');
    const later = await look(next.known);
    expect(later.read).toEqual(['h1', 'h2', 'h3']);
    expect((await look(later.known)).read).toEqual(['h1', 'h2']);
  });

  it('come, go and change their place in Redis with an act, without a read of the others', async () => {
    const { known } = await look(null);
    await put('0', 'new 0');
    await remove('2');
    await redis.client.hset('item:other', { id: '3', created: 3, text: 'other 3' });
    await redis.client.hset(IDS, '3', 'other');
    for (const id of ['0', '2', '3']) await act(10_000, id);
    const next = await look(known);
    expect(next.texts).toEqual(['new 0', 'old 1', 'other 3']);
    expect(next.read).toEqual(['h0', 'other']);
    expect(next.known.hashes).toEqual(new Map(Object.entries({ 0: 'h0', 1: 'h1', 3: 'other' })));
    // Another read may still use the earlier index, so it must not change.
    expect(known.hashes.get('3')).toBe('h3');
  });

  it('are dropped while they are incomplete, and are back in their order when they are complete', async () => {
    const { known } = await look(null);
    await put('2', '');
    await act(10_000, '2');
    const without = await look(known);
    expect([without.texts, without.known.hashes.get('2')]).toEqual([['old 1', 'old 3'], 'h2']);
    await put('2', 'new 2');
    expect((await look(without.known)).texts).toEqual(['old 1', 'new 2', 'old 3']);
  });

  it.each([
    ['came', () => put('4', 'new 4'), ['old 1', 'old 2', 'old 3', 'new 4']],
    ['went', () => remove('2'), ['old 1', 'old 3']],
  ])('are all read again when one %s without an act', async (_, change, texts) => {
    const { known } = await look(null);
    await change();
    const next = await look(known);
    expect(next.texts).toEqual(texts);
    expect(next.read).toHaveLength(texts.length);
  });

  it('are all read again after as many acts as are read at once, and not after one fewer', async () => {
    const { known } = await look(null);
    for (let i = 0; i < 498; i++) await act(10_000 + i, '2');
    expect((await look(known)).read).toEqual(['h2']);
    await act(10_498, '2');
    expect((await look(known)).read).toEqual(['h1', 'h2', 'h3']);
  });

  it('are all read again when the audit log is empty and was not', async () => {
    const { known } = await look(null);
    await redis.client.del(AUDIT);
    expect((await look(known)).read).toEqual(['h1', 'h2', 'h3']);
  });
});

it('records are read once where nothing was ever done to them', async () => {
  await put('1', 'old 1');
  const first = await look(null);
  expect([first.texts, first.known.seenMs]).toEqual([['old 1'], 0]);
  const next = await look(first.known);
  expect([next.texts, next.read, next.known.seenMs]).toEqual([['old 1'], [], 0]);
});

it('records that change without an act are read each time, until they have settled', async () => {
  const kind = { ...ITEMS, isUnsettled: ({ text }: Item) => text === 'under way' };
  await put('1', 'under way');
  await put('2', 'old 2');
  const first = await look(null, kind);
  const second = await look(first.known, kind);
  expect([second.texts, second.read]).toEqual([['under way', 'old 2'], ['h1']]);
  await put('1', 'settled');
  const third = await look(second.known, kind);
  expect([third.texts, third.read]).toEqual([['settled', 'old 2'], ['h1']]);
  expect((await look(third.known, kind)).read).toEqual([]);
});

it('an id without a record is forgotten where it is of no use, and kept where the record may still come', async () => {
  for (const id of ['1', '2']) await put(id, `old ${id}`);
  await redis.client.del('item:h2');
  const kept = await look(null);
  expect([kept.texts, [...kept.known.hashes.keys()].sort()]).toEqual([['old 1'], ['1', '2']]);
  expect(await redis.client.hlen(IDS)).toBe(2);
  const forgotten = await look(null, { ...ITEMS, removesExpiredIds: true });
  expect([forgotten.texts, [...forgotten.known.hashes.keys()]]).toEqual([['old 1'], ['1']]);
  expect(await redis.client.hgetall(IDS)).toEqual({ 1: 'h1' });
  expect((await look(forgotten.known)).read).toEqual([]);
});

it('more records than are read at once are all read, a part at a time', async () => {
  const write = redis.client.pipeline();
  for (let i = 0; i < 1000; i++) {
    write.hset(`item:h${i}`, { id: i, created: 999 - i, text: `item ${i}` });
    write.hset(IDS, String(i), `h${i}`);
  }
  await write.exec();
  const sizes: number[] = [];
  const kind: IndexedKind<Item> = {
    ...ITEMS,
    read(client, hashes) {
      sizes.push(hashes.length);
      return ITEMS.read(client, hashes);
    },
  };
  const { texts } = await look(null, kind);
  expect(texts).toEqual(Array.from({ length: 1000 }, (_, i) => `item ${999 - i}`));
  expect(sizes).toEqual([400, 400, 200]);
});
