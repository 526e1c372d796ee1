// Random steps on keys give the same results on a real Redis as in a plain model.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Keys, keysOf } from '../../../src/access/keys/keys.ts';
import { keyRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { runs } from '../../support/depth.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
let keys: Keys;
beforeAll(async () => {
  redis = await openDatabase();
  keys = keysOf(redis.client);
});
afterAll(() => redis.close());

interface ModelKey {
  readonly key: string;
  readonly label: string;
  state: 'active' | 'revoked' | 'expired';
  ends: boolean;
  perMinute: number | null;
  perDay: number | null;
}

const by = 'ada';
const limit = fc.oneof(fc.constantFrom(null, 5), fc.integer({ min: 1, max: 1e15 }));
/** Chooses a key by its position among the existing ones, or a key that does not exist. */
const which = fc.nat();
const step = fc.oneof(
  fc.record({ act: fc.constant('issue' as const), label: fc.string({ minLength: 1, maxLength: 20 }) }),
  fc.record({ act: fc.constant('revoke' as const), which }),
  fc.record({ act: fc.constant('rotate' as const), which, graceMs: fc.constantFrom(0, 3_600_000) }),
  fc.record(
    { act: fc.constant('limit' as const), which, perMinute: limit, perDay: limit },
    { requiredKeys: ['act', 'which'] },
  ),
);
type Step = typeof step extends fc.Arbitrary<infer Kind> ? Kind : never;

/** The outcomes that have occurred so far. In the end, each outcome must have occurred. */
const met = new Set<string>();

/** Takes a step in Redis and in the model. Both must have the same outcome. */
async function take(model: Map<string, ModelKey>, taken: Step): Promise<void> {
  if (taken.act === 'issue') {
    const { key, id } = await keys.issue({ label: taken.label, by });
    const fresh = { state: 'active', ends: false, perMinute: null, perDay: null } as const;
    model.set(id, { key, label: taken.label, ...fresh });
    return;
  }
  const [id, old] = [...model][taken.which % (model.size + 1)] ?? ['k2345678abc', null];
  if (taken.act === 'revoke') {
    const expected = old === null ? 'unknown' : old.state === 'revoked' ? 'already' : 'revoked';
    expect(await keys.revoke(id, by)).toBe(expected);
    met.add(`revoke: ${expected}`);
    if (old) old.state = 'revoked';
  } else if (taken.act === 'limit') {
    const { act: _, which: __, ...limits } = taken;
    const { perMinute = old?.perMinute, perDay = old?.perDay } = limits;
    const isSame = perMinute === old?.perMinute && perDay === old?.perDay;
    const expected = old === null ? 'unknown' : isSame ? 'same' : 'changed';
    expect(await keys.changeLimits(id, limits, by)).toBe(expected);
    met.add(`limit: ${expected}`);
    if (old) Object.assign(old, limits);
  } else {
    const rotation = await keys.rotate(id, { graceMs: taken.graceMs, by });
    const expected = old === null ? 'unknown' : old.state === 'active' ? 'rotated' : old.state;
    expect(rotation.outcome).toBe(expected);
    met.add(`rotate: ${expected}`);
    if (rotation.outcome !== 'rotated' || old === null) return;
    model.set(rotation.id, { ...old, key: rotation.key, state: 'active', ends: false });
    old.ends = true;
    if (taken.graceMs === 0) old.state = 'expired';
  }
}

describe('the lifecycle of keys', () => {
  it('equals that of a plain model over random steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
        await redis.empty();
        const model = new Map<string, ModelKey>();
        for (const label of ['first', 'second']) await take(model, { act: 'issue', label });
        for (const taken of steps) await take(model, taken);
        const seen = (await keys.list()).map(({ id, label, state, last4, expiresMs, perMinute, perDay }) => [
          id,
          { label, state, last4, ends: expiresMs !== null, perMinute, perDay },
        ]);
        const expected = [...model].map(([id, { key, ...known }]) => [
          id,
          { ...known, last4: key.slice(-4) },
        ]);
        expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected));
        // Interrupted and refused steps leave nothing behind.
        expect((await redis.client.keys('key:*')).sort()).toEqual(
          [...model.values()].map(({ key }) => keyRecord(hashOf(key))).sort(),
        );
      }),
      { numRuns: runs(10) },
    );
    expect([...met].sort()).toEqual([
      ...['limit: changed', 'limit: same', 'limit: unknown'],
      ...['revoke: already', 'revoke: revoked', 'revoke: unknown'],
      ...['rotate: expired', 'rotate: revoked', 'rotate: rotated', 'rotate: unknown'],
    ]);
  });
});
