import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { aDataDir, publishRows } from '../../support/snapshot.ts';

/** Fills a disk to its last block, on which the lock has no file yet, and prunes. */
const SCRIPT = `
  mount -t tmpfs -o size=8m none /mnt
  cp -a "$COPIED/." /mnt/data
  rm -f /mnt/data/ingest.lock
  dd if=/dev/zero of=/mnt/fill bs=4k 2> /dev/null
  DATA_DIR=/mnt/data "$NODE" "$CLI" prune --keep 6`;

it('says on a full disk that there is nothing to remove, and does not recommend itself', async () => {
  if (spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status !== 0) {
    process.stderr.write('no disk can be mounted here: run as root, or allow user namespaces\n');
    return;
  }
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-10.1');
  await publishRows(dataDir, '2026-11.1');
  const { stdout, stderr, status } = spawnSync(
    'unshare',
    ['--map-root-user', '--mount', 'sh', '-c', SCRIPT],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        NODE: process.execPath,
        CLI: path.resolve('dist/ingest/cli.js'),
        COPIED: dataDir,
      },
    },
  );
  await remove();
  expect([stdout, stderr, status]).toEqual([
    'nothing to remove; kept: 2026-10.1, 2026-11.1 (current)\n',
    '',
    0,
  ]);
});
