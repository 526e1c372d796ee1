// What the keys commands print about what they did.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CommandContext,
  exportAll,
  invite,
  invites,
  limits,
  list,
  revoke,
  rotate,
} from '../../../src/access/commands/keysCommands.ts';
import { invitesOf } from '../../../src/access/invites/invites.ts';
import { keysOf } from '../../../src/access/keys/keys.ts';
import { inviteRecord, keyRecord } from '../../../src/access/redis/keyNames.ts';
import { hashOf } from '../../../src/access/secret.ts';
import { openDatabase, type TestDatabase } from '../../support/redis.ts';

let redis: TestDatabase;
let context: CommandContext;
beforeAll(async () => {
  redis = await openDatabase();
  const settings = {
    publicUrl: 'https://data.example',
    publicUrlIsDefault: false,
    rateLimits: { perMinute: 100, perDay: 10_000 },
  };
  context = { redis: redis.client, settings, by: 'ada' };
});
beforeEach(() => redis.empty());
afterAll(() => redis.close());

const aKey = () => keysOf(redis.client).issue({ label: 'Acme', by: 'ada' });
const anInvite = () => invitesOf(redis.client).create({ label: 'Acme', claimableMs: 600_000, by: 'ada' });

describe('limits', () => {
  it('say which are the key’s own and which are the server’s', async () => {
    const { id } = await aKey();
    const outcome = await limits(context, id, { perMinute: 2000 });
    expect(outcome).toEqual({
      json: { id, label: 'Acme', perMinute: 2000, perDay: null },
      text: `Key ${id} for Acme: 2,000 a minute, 10,000 (the server's setting) a day, from its next request on.\n`,
    });
    expect((await limits(context, id, { perMinute: 'default', perDay: 7 })).text).toBe(
      `Key ${id} for Acme: 100 (the server's setting) a minute, 7 a day, from its next request on.\n`,
    );
  });

  it('and rotations of an invite are refused with the key that it became', async () => {
    const { json } = await invite(context, 'Acme', 600_000);
    const { id, url } = json as { id: string; url: string };
    const none = `${id} is an invite, which has become no key`;
    await expect(limits(context, id, { perDay: 1 })).rejects.toThrow(none);
    const claimed = await invitesOf(redis.client).claim(url.split('/').at(-1) ?? '');
    const found = `${id} is an invite: name the key that it became, ${'id' in claimed && claimed.id}`;
    await expect(limits(context, id, { perDay: 1 })).rejects.toThrow(found);
    await expect(rotate(context, id, 0)).rejects.toThrow(found);
  });
});

describe('revoke', () => {
  it('says what it ended, and whether it had ended before', async () => {
    const [{ id: key }, { id: invited }] = [await aKey(), await anInvite()];
    const json = (id: string) => ({ id, state: 'revoked' });
    expect(await revoke(context, key)).toEqual({
      json: json(key),
      text: `Key ${key} is revoked: its next request is refused.\n`,
    });
    expect(await revoke(context, key)).toEqual({
      json: json(key),
      text: `Key ${key} was revoked already.\n`,
    });
    expect(await revoke(context, invited)).toEqual({
      json: json(invited),
      text: `Invite ${invited} is revoked: its link gives no key.\n`,
    });
    expect(await revoke(context, invited)).toEqual({
      json: json(invited),
      text: `Invite ${invited} was revoked already.\n`,
    });
    await expect(revoke(context, 'nobody')).rejects.toThrow(
      'no key or invite "nobody": `list` and `invites` show the ids',
    );
  });
});

describe('a damaged record', () => {
  it('is named by the list and by an export', async () => {
    const ids: string[] = [];
    for (const { id, key } of [await aKey(), await aKey()]) {
      await redis.client.set(keyRecord(hashOf(key)), 'x');
      ids.push(id);
    }
    const { json, text, note } = await list(context);
    expect(json).toMatchObject({
      keys: expect.arrayContaining(
        ids.map((id) => expect.objectContaining({ id, state: 'damaged', created: null })),
      ),
    });
    const named = (found: string | undefined) =>
      /: (\w+, \w+); /
        .exec(found ?? '')?.[1]
        ?.split(', ')
        .sort();
    expect(text).toMatch(/damaged +unknown +unknown/);
    expect(note).toMatch(
      /^damaged in Redis, and refused if its state, end, limits or windows are: [^;]*; `revoke` puts a whole record in that place, then invite the holder anew$/,
    );
    expect(named(note)).toEqual([...ids].sort());
    const [id = ''] = ids;
    await expect(limits(context, id, { perDay: 1 })).rejects.toThrow(`key ${id} is damaged: revoke it`);
    const refused = await exportAll(context, null).catch(({ message }: Error) => message);
    expect(refused).toMatch(/^damaged in Redis: [^;]*; revoke what is damaged and export again$/);
    expect(named(String(refused))).toEqual([...ids].sort());
    for (const [i, one] of ids.entries()) {
      expect((await revoke(context, one)).text).toBe(`Key ${one} is revoked: its next request is refused.\n`);
      expect((await list(context)).note?.match(/: (\w+); /)?.[1]).toBe(ids[i + 1]);
    }
    expect((await exportAll(context, null)).note).toMatch(/^2 keys,/);
  });

  it('of an invite is named by the invites and by an export', async () => {
    const { id, token } = await invitesOf(redis.client).create({
      label: 'Acme',
      claimableMs: 60_000,
      by: 'ada',
    });
    expect((await invites(context)).note).toBeUndefined();
    await redis.client.set(inviteRecord(hashOf(token)), 'x');
    const { json, text, note } = await invites(context);
    expect(json).toMatchObject({ invites: [{ id, state: 'damaged', created: null, expires: null }] });
    expect([text, note]).toEqual([
      expect.stringMatching(/damaged +unknown +unknown/),
      expect.stringContaining(`so that their links give no key: ${id}; \`revoke\` puts a whole record`),
    ]);
    await expect(exportAll(context, null)).rejects.toThrow(
      `damaged in Redis: ${id}; revoke what is damaged and export again`,
    );
    expect((await revoke(context, id)).text).toBe(`Invite ${id} is revoked: its link gives no key.\n`);
    expect((await exportAll(context, null)).note).toMatch(/, 1 invite,/);
  });
});
