// Commands when the disk of DATA_DIR or of the temporary folder is full or read-only.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { itInDepth } from '../../support/depth.ts';
import { withDisks } from '../../support/disks.ts';
import { aMonth, csvOf } from '../../support/month.ts';
import { aDataDir, aRow, publishRows } from '../../support/snapshot.ts';

let dataDir: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  ({ dataDir, remove } = await aDataDir());
  await publishRows(dataDir, '2026-10.1');
  await publishRows(dataDir, '2026-11.1');
});
afterAll(() => remove());

it('prune says on a full disk that there is nothing to remove, and does not recommend itself', () => {
  const ran = withDisks(
    `
    mount -t tmpfs -o size=8m none /mnt
    cp -a "$DATA_DIR/." /mnt/data
    rm -f /mnt/data/ingest.lock
    dd if=/dev/zero of=/mnt/fill bs=4k 2> /dev/null
    DATA_DIR=/mnt/data "$NODE" "$CLI" prune --keep 6`,
    { DATA_DIR: dataDir },
  );
  if (ran === null) return;
  expect([ran.stdout, ran.stderr, ran.status]).toEqual([
    'nothing to remove; kept: 2026-10.1, 2026-11.1 (current)\n',
    '',
    0,
  ]);
});

itInDepth('prune makes room on a full disk for the line of a rollback that has none yet', () => {
  const ran = withDisks(
    `
    mount -t tmpfs -o size=8m none /mnt
    cp -a "$DATA_DIR/." /mnt/data
    cd /mnt/data
    for id in 2026-08.1 2026-09.1; do
      cp -a snapshots/2026-10.1 snapshots/$id
      sed -i "s/2026-10\\.1/$id/" snapshots/$id/manifest.json
    done
    # The next line of the history needs a further block of the disk.
    truncate -s 4096 history.jsonl
    tr '\\0' '\\n' < history.jsonl > lines && cat lines > history.jsonl && rm lines
    export DATA_DIR=/mnt/data
    "$NODE" "$CLI" prune --keep 9 > /mnt/locked
    printf '{"event":"rolled-back","id":"2026-10.1","from":"2026-11.1","at":"2026-11-30T09:00:00.000Z"}' > step.json
    ln -sfn snapshots/2026-10.1 current
    dd if=/dev/zero of=/mnt/fill bs=4k 2> /dev/null
    "$NODE" "$CLI" prune --keep 3
    grep -o 'rolled-back.*2026-10.1' history.jsonl
    grep -o 'pruned.*2026-0..1' history.jsonl`,
    { DATA_DIR: dataDir },
  );
  if (ran === null) return;
  expect([ran.stdout.split('\n'), ran.stderr, ran.status]).toEqual([
    [
      expect.stringMatching(/^removed 2026-08\.1 \(.+\)$/),
      expect.stringMatching(/^freed .+; kept: 2026-09\.1, 2026-10\.1 \(current\), 2026-11\.1$/),
      'rolled-back","id":"2026-10.1',
      'pruned","id":"2026-08.1',
      '',
    ],
    '',
    0,
  ]);
});

it('publish makes no first snapshot below a share of /etc/fstab that is not mounted', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr')]) });
  const ran = withDisks(
    `
    mount -t tmpfs none /mnt
    mkdir "/mnt/the share"
    ln -s 'the share' /mnt/link
    printf ' #nas:/old /mnt/the\\\\040share/data nfs\n/dev/sda / ext4 defaults 0 1\nnas:/data /mnt/the\\\\040share nfs nofail 0 0\nnas:/off /mnt/off nfs ro,noauto 0 0\n' > /mnt/fstab
    mount --bind /mnt/fstab /etc/fstab
    export DATA_DIR=/mnt/link/data
    "$NODE" "$CLI" publish "$MONTH" --month 2026-11
    ls -A '/mnt/the share'
    mount -t tmpfs none '/mnt/the share'
    "$NODE" "$CLI" publish "$MONTH" --month 2026-11 > /dev/null 2>&1
    readlink "$DATA_DIR/current"
    export DATA_DIR=/mnt/off/data
    "$NODE" "$CLI" publish "$MONTH" --month 2026-10 > /dev/null 2>&1
    readlink "$DATA_DIR/current"`,
    { MONTH: month.directory },
  );
  await month.remove();
  if (ran === null) return;
  expect([ran.stdout, ran.stderr]).toEqual([
    'snapshots/2026-11.1\nsnapshots/2026-10.1\n',
    '/mnt/link/data has no snapshots, and /mnt/the share of /etc/fstab is not mounted; mount it and run again\n',
  ]);
});

it('publish says that a disk with room lacks inodes', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr')]) });
  const ran = withDisks(
    `
    mount -t tmpfs -o size=64m,nr_inodes=10 none /mnt
    mkdir /mnt/data
    DATA_DIR=/mnt/data "$NODE" "$CLI" publish "$MONTH" --month 2026-11
    mkdir /mnt/data/1 /mnt/data/2 /mnt/data/3 /mnt/data/4 /mnt/data/5 /mnt/data/6
    TMPDIR=/mnt/data "$NODE" "$CLI" inspect "$MONTH/ggr.csv"`,
    { MONTH: month.directory },
  );
  await month.remove();
  if (ran === null) return;
  expect(ran.stderr).toMatch(
    /No space left on device; the disk has room, and no free inodes \(see df -i\): remove some files, such as with prune, and run again; current is what it was\n/,
  );
  expect(ran.stderr).toMatch(
    /; the temporary disk has room, and no free inodes \(see df -i\): remove some files there, or name another folder in TMPDIR\n$/,
  );
});

itInDepth('diff says that the temporary folder is at fault, not DATA_DIR', () => {
  const ran = withDisks(
    `
    mount -t tmpfs -o size=1m,nr_inodes=1 none /mnt
    export TMPDIR=/mnt
    "$NODE" "$CLI" diff 2026-10.1 2026-11.1
    mount -o remount,bind,ro /mnt
    "$NODE" "$CLI" diff 2026-10.1 2026-11.1
    TMPDIR=/mnt/gone "$NODE" "$CLI" diff 2026-10.1 2026-11.1`,
    { DATA_DIR: dataDir },
  );
  if (ran === null) return;
  const [full, readOnly, gone] = ran.stderr.split('\n');
  expect(full).toMatch(
    /ENOSPC.+; the temporary disk is full: make room there, or name another folder in TMPDIR$/,
  );
  expect(readOnly).toMatch(/EROFS.+; the temporary folder cannot be written: name another one in TMPDIR$/);
  expect(gone).toMatch(/ENOENT.+; the temporary folder cannot be written: name another one in TMPDIR$/);
});

itInDepth('inspect says that the temporary folder is full, and recommends no prune', () => {
  const ran = withDisks(
    `
    mount -t tmpfs -o size=8m none /mnt
    (echo "$HEADINGS"; yes Europe,Malta,Tracked | head -n 20000) > /mnt/country-reference.csv
    mkdir /mnt/small
    # The folder for the copy fits, and the copy does not.
    mount -t tmpfs -o size=128k none /mnt/small
    TMPDIR=/mnt/small "$NODE" "$CLI" inspect /mnt/country-reference.csv`,
    { HEADINGS: 'region,country,country_type' },
  );
  if (ran === null) return;
  expect(ran.stderr).toMatch(
    /ENOSPC.+; the temporary disk is full: make room there, or name another folder in TMPDIR\n$/,
  );
});

itInDepth(
  'template says that the disk of its file is full, leaves no part of it, and recommends no prune',
  () => {
    const ran = withDisks(
      `
    mount -t tmpfs -o size=4k none /mnt
    echo full > /mnt/fill
    "$NODE" "$CLI" template ggr --month 2026-12 --out /mnt/ggr.xlsx
    ls /mnt`,
      { DATA_DIR: dataDir },
    );
    if (ran === null) return;
    expect([ran.stdout, ran.stderr]).toEqual([
      'fill\n',
      '--out /mnt/ggr.xlsx: the disk is full (ENOSPC); make room there, or name a file on another disk\n',
    ]);
  },
);

it('a disk without symbolic links is named as the reason why nothing can become current', () => {
  const module = pathToFileURL(path.resolve('dist/src/store/switchCurrent.js'));
  const ran = withDisks(
    `
    unshare --ipc sh -c 'mount -t mqueue none /mnt && "$NODE" --input-type=module -e "$PROGRAM"'`,
    {
      PROGRAM: `
      const { switchCurrent } = await import('${module}');
      await switchCurrent('/mnt', '2026-11.1').catch(({ message }) => console.log(message));`,
    },
  );
  if (ran === null) return;
  expect([ran.stdout, ran.stderr]).toEqual([
    expect.stringMatching(/^\/mnt is on a disk without symbolic links, .+; name a folder on another disk/),
    '',
  ]);
});
