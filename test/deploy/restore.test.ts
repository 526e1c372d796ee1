// Restores a machine from the backup that docs/operations.md describes.

import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { exportAccess, importAccess, parseBackup } from '../../src/access/backup.ts';
import { peopleIn } from '../../src/access/people/people.ts';
import { sessionsOf } from '../../src/access/people/sessions.ts';
import { readHistory } from '../../src/catalog/readHistory.ts';
import { aMonth, csvOf } from '../support/month.ts';
import { ingestCommand } from '../support/runInProcess.ts';
import { startServerWithKeys } from '../support/serverWithKeys.ts';
import { aDataDir, aRow, publishRows } from '../support/snapshot.ts';

const ROWS = Array.from({ length: 5 }, (_, i) => aRow('ggr', { year: 2000 + i, ggr: i }));

it('a client continues its walk with its key and its limits on a machine that was restored', async () => {
  const [before, after, month] = [
    await aDataDir(),
    await aDataDir(),
    await aMonth({ 'ggr.csv': csvOf('ggr', ROWS) }),
  ];
  await publishRows(before.dataDir, '2026-10.1', { ggr: ROWS });
  await publishRows(before.dataDir, '2026-11.1', { ggr: ROWS });
  const lost = await startServerWithKeys({ dataDir: before.dataDir });
  const restored = await startServerWithKeys({ dataDir: after.dataDir });
  try {
    const headers = { 'x-api-key': await lost.key() };
    const revoked = await lost.keys.issue({ label: 'gone', by: 'test' });
    await lost.keys.revoke(revoked.id, 'test');
    const walk = '/v1/financials?metric=ggr&limit=2';
    const first = await lost.get(walk, { ...headers, 'x-snapshot': '2026-10.1' });
    expect(first.status).toBe(200);

    const { token } = await sessionsOf(lost.redis.client).createLink({
      by: 'test',
      name: 'Ann',
      role: 'viewer',
    });
    await sessionsOf(lost.redis.client).signIn(token);

    // The backup consists of the lines of the keys and the files that the page names.
    const lines = (await exportAccess(lost.redis.client)).map((line) => JSON.stringify(line));
    const page = await readFile('docs/operations.md', 'utf8');
    const command = /`(rsync [^`]+)`/.exec(page)?.[1] ?? '';
    const names = [...command.matchAll(/\/var\/lib\/data-api\/(\S+)/g)].map(([, name]) => name ?? '');
    expect(names).toEqual(['snapshots', 'history.jsonl', 'current']);

    await mkdir(after.dataDir, { recursive: true });
    for (const name of names)
      await cp(path.join(before.dataDir, name), path.join(after.dataDir, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    await importAccess(restored.redis.client, parseBackup(lines.join('\n')));

    for (const id of ['2026-10.1', '2026-11.1'])
      expect(await ingestCommand(after.dataDir, ['verify', id])).toMatchObject({ code: 0 });
    expect(await readHistory(after.dataDir)).toEqual(await readHistory(before.dataDir));
    for (let turns = 0; (await restored.get('/readyz')).status !== 200 && turns < 600; turns++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const second = await restored.get(`${walk}&cursor=${first.json.pagination.cursor}`, headers);
    expect([second.status, second.headers.get('x-snapshot')]).toEqual([200, '2026-10.1']);
    expect(second.json.data[0].dimensions.year).toBe(2002);
    expect(Number(second.headers.get('x-ratelimit-remaining'))).toBe(
      Number(first.headers.get('x-ratelimit-remaining')) - 1,
    );
    expect((await restored.get('/v1/catalog', { 'x-api-key': revoked.key })).status).toBe(401);
    expect(await peopleIn(restored.redis.client)).toMatchObject([{ name: 'Ann', role: 'viewer' }]);
    expect(
      await ingestCommand(after.dataDir, ['publish', month.directory, '--month', '2026-12']),
    ).toMatchObject({ code: 0 });
  } finally {
    await Promise.all([lost.close(), restored.close()]);
    await Promise.all([before.remove(), after.remove(), month.remove()]);
  }
});
