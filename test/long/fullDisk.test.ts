// Publishing and pruning on a real disk that is nearly full.

import { expect, it } from '@jest/globals';
import { withDisks } from '../support/disks.ts';
import { aMonth, csvOf } from '../support/month.ts';
import { aRow } from '../support/snapshot.ts';

/**
 * Publishes on a disk on which `left` kB are free. Prints a line for each command: its name, its exit code, the current
 * snapshot, the files of the data directory, and the last line of its output.
 */
const SCRIPT = `
  mount -t tmpfs -o size=32m none /mnt
  ingest() {
    said=$("$NODE" "$CLI" "$@" 2>&1); code=$?
    echo "$1|$code|$(readlink $DATA_DIR/current)|$(ls $DATA_DIR | tr '\\n' ' ')|$(echo "$said" | tail -n 1)"
  }
  ingest publish "$FIRST" --month 2026-10
  for left in 0 40 300 600 900 1200 1500 1800 2100 2400 2700 3000 3300 3600 4000 5000 9000; do
    free=$(df -k --output=avail /mnt | tail -n 1)
    head -c $(( (free - left) * 1024 )) /dev/zero > /mnt/fill
    ingest publish "$SECOND" --month 2026-11
    ingest verify
    rm /mnt/fill
    ingest rollback 2026-10.1
    ingest prune --keep 0
  done`;

it('leaves current whole and nothing behind, however little of a real disk is left', async () => {
  const rows = (ggr: number) => {
    const years = Array.from({ length: 9000 }, (_, i) => 1000 + i);
    return csvOf(
      'ggr',
      ['A', 'B', 'C'].flatMap((product) => years.map((year) => aRow('ggr', { year, product, ggr }))),
    );
  };
  const [first, second] = [await aMonth({ 'ggr.csv': rows(100) }), await aMonth({ 'ggr.csv': rows(100.5) })];
  const folders = { FIRST: first.directory, SECOND: second.directory };
  const ran = withDisks(SCRIPT, { DATA_DIR: '/mnt/data', ...folders });
  await Promise.all([first.remove(), second.remove()]);
  if (ran === null) return;
  const lines = ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|'));
  const codes = new Set<string>();
  for (const [name, code = '', current, files, output] of lines.slice(1)) {
    if (name === 'publish') {
      codes.add(code);
      expect(current).toMatch(code === '0' ? /^snapshots\/2026-11\./ : /^snapshots\/2026-10\.1$/);
      if (code !== '0') expect(output).toContain('the disk is full: free some space, such as with prune');
    } else expect([name, code]).toEqual([name, '0']);
    expect(files).toBe('current history.jsonl ingest.lock snapshots ');
  }
  expect([...codes].sort()).toEqual(['0', '1']);
}, 600_000);

/** Fills the disk completely while the file of the lock is missing, as after a restore, and prunes. */
const PRUNE_SCRIPT = `
  mount -t tmpfs -o size=32m none /mnt
  for month in 2026-10 2026-11 2026-12 2027-01; do "$NODE" "$CLI" publish "$FIRST" --month $month > /dev/null 2>&1; done
  rm $DATA_DIR/ingest.lock
  mkdir $DATA_DIR/tmp $DATA_DIR/tmp/2027-02.1
  echo left by a killed command > $DATA_DIR/tmp/2027-02.1/ggr.parquet
  dd if=/dev/zero of=/mnt/fill bs=4k 2> /dev/null
  df -k --output=avail /mnt | tail -n 1
  "$NODE" "$CLI" prune --keep 2 2>&1 | sed 's/ (.*//'
  ls -A $DATA_DIR $DATA_DIR/snapshots | tr '\\n' ' '
  grep -c pruned $DATA_DIR/history.jsonl`;

it('prunes on a disk without a free block, where the lock has no file yet and a killed command has left files', async () => {
  const month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr')]) });
  const ran = withDisks(PRUNE_SCRIPT, { DATA_DIR: '/mnt/data', FIRST: month.directory });
  await month.remove();
  if (ran === null) return;
  const [free, first, second, freed, left] = ran.stdout
    .trim()
    .split('\n')
    .map((line) => line.trim());
  expect([free, first, second]).toEqual(['0', 'removed 2026-10.1', 'removed 2026-11.1']);
  expect(freed).toMatch(/^freed .+; kept: 2026-12\.1, 2027-01\.1/);
  expect(left).toMatch(
    /^\/mnt\/data: current history\.jsonl ingest\.lock snapshots +\/mnt\/data\/snapshots: 2026-12\.1 2027-01\.1 +2$/,
  );
}, 120_000);
