// The history of a data directory, including crashes in the middle of a line.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendToHistory, finishStep, runRecordedStep } from '../../../ingest/store/historyWriter.ts';
import { nextRevision, publicationOrder, supersededMsById } from '../../../ingest/store/publicationOrder.ts';
import { recover } from '../../../ingest/store/publish.ts';
import { currentId, snapshotIds } from '../../../src/catalog/dataDirectory.ts';
import { readHistory } from '../../../src/catalog/readHistory.ts';
import { switchCurrent } from '../../../src/store/switchCurrent.ts';
import { withDisks } from '../../support/disks.ts';
import { aDataDir, publishRows } from '../../support/snapshot.ts';

let dataDir: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ dataDir, remove } = await aDataDir());
});
afterEach(() => remove());

const at = '2026-11-01T09:00:00.000Z';
const snapshot = (id: string) => path.join(dataDir, 'snapshots', id);
const events = async () => (await readHistory(dataDir)).map(({ event, id }) => `${event} ${id}`);

describe('the history', () => {
  it('is read past a line that a crash cut', async () => {
    await appendToHistory(dataDir, { event: 'published', id: '2026-10.1', at });
    await appendFile(path.join(dataDir, 'history.jsonl'), '{"event":"publ');
    await appendToHistory(dataDir, { event: 'published', id: '2026-11.1', at });
    expect(await events()).toEqual(['published 2026-10.1', 'published 2026-11.1']);
  });

  it('is as it was after a line for which the disk has no room', () => {
    const ran = withDisks(
      `
      mount -t tmpfs -o size=16k none /mnt
      yes line | head -c 4090 > /mnt/history.jsonl
      cp /mnt/history.jsonl "$DATA_DIR"
      dd if=/dev/zero of=/mnt/fill bs=4k 2> /dev/null
      "$NODE" --input-type=module -e "
        const { appendToHistory } = await import(process.env.WRITER);
        await appendToHistory('/mnt', { event: 'published', id: '2026-10.1', at: '' }).catch(({ code }) => console.log(code));"
      cmp /mnt/history.jsonl "$DATA_DIR/history.jsonl" && echo same`,
      { DATA_DIR: dataDir, WRITER: pathToFileURL('dist/ingest/store/historyWriter.js').href },
    );
    if (ran !== null) expect(ran.stdout).toBe('ENOSPC\nsame\n');
  });

  const file = () => path.join(dataDir, 'history.jsonl');
  const edited = async (edit: (text: string) => string) =>
    writeFile(file(), edit(await readFile(file(), 'utf8')));

  it('is read as editors, power cuts and full disks leave it', async () => {
    for (const id of ['2026-10.1', '2026-11.1'])
      await appendToHistory(dataDir, { event: 'published', id, at });
    const whole = ['published 2026-10.1', 'published 2026-11.1'];
    await edited((text) => `\uFEFF${text.replaceAll('\n', '\r\n')}\n`);
    expect(await events()).toEqual(whole);
    // After a power cut, a line that was appended but not yet on the disk may hold zero bytes.
    await edited((text) => text.replace(/\n(?=.*2026-11)/, '\n{"event":"publi\0\0\0\n'));
    expect(await events()).toEqual(whole);
    await edited((text) => text.replace('\n', '\n{"event":"pruned","id":"20\n'));
    expect(await events()).toEqual(whole);
    await appendFile(file(), '{"event":"rolled-back","id":"2026-1');
    const begun = { event: 'rolled-back', id: '2026-10.1', from: '2026-11.1', at };
    await writeFile(path.join(dataDir, 'step.json'), JSON.stringify(begun));
    expect(await events()).toEqual(whole);
  });

  it.each<[string, (text: string) => string, number]>([
    ['is edited', (text) => text.replace('"id":"2026-10.1"', '"id:"2026-10.1"'), 2],
    ['lacks a field', (text) => text.replace('"id":"2026-10.1",', ''), 2],
    ['is truncated at the end, and no command was under way', (text) => text.slice(0, -20), 3],
    ['is in UTF-16', (text) => Buffer.from(text, 'utf16le').toString('latin1'), 1],
  ])('names a line that %s: without it the order and the days are unknown', async (_, edit, line) => {
    for (const id of ['2026-09.1', '2026-10.1', '2026-11.1'])
      await appendToHistory(dataDir, { event: 'published', id, at });
    await edited(edit);
    const message = new RegExp(`history\\.jsonl, line ${line}, is damaged; restore the file from a backup`);
    await expect(readHistory(dataDir)).rejects.toThrow(message);
    await expect(recover(dataDir)).rejects.toThrow(message);
  });

  it('says what it found where a pipe stands in its place', async () => {
    execFileSync('mkfifo', [file()]);
    await expect(readHistory(dataDir)).rejects.toThrow(
      'history.jsonl must be a file and is a pipe: move it away',
    );
  });

  it('says what it found where a folder stands in its place', async () => {
    await mkdir(path.join(dataDir, 'history.jsonl'));
    await expect(readHistory(dataDir)).rejects.toThrow(
      'history.jsonl must be a file and is a folder: move it away',
    );
  });

  it('names what a step did as soon as it did it, though its line could not be written', async () => {
    await publishRows(dataDir, '2026-10.1');
    await publishRows(dataDir, '2026-11.1');
    await runRecordedStep(
      dataDir,
      { event: 'rolled-back', id: '2026-10.1', from: '2026-11.1', at },
      async () => {
        await switchCurrent(dataDir, '2026-10.1');
        await rename(path.join(dataDir, 'history.jsonl'), path.join(dataDir, 'aside'));
        await mkdir(path.join(dataDir, 'history.jsonl'));
      },
    );
    await rm(path.join(dataDir, 'history.jsonl'), { recursive: true });
    await rename(path.join(dataDir, 'aside'), path.join(dataDir, 'history.jsonl'));
    const whole = ['published 2026-10.1', 'published 2026-11.1', 'rolled-back 2026-10.1'];
    expect(await events()).toEqual(whole);
    await recover(dataDir);
    expect(await events()).toEqual(whole);
    expect(await readFile(path.join(dataDir, 'history.jsonl'), 'utf8')).toContain('rolled-back');
    expect(await readdir(dataDir)).not.toContain('step.json');
  });

  it.each(['published', 'rolled-back', 'pruned'] as const)(
    'on a disk without room for a step, lets a snapshot be removed and no other begin: %s',
    async (event) => {
      await appendToHistory(dataDir, { event: 'published', id: '2026-10.1', at });
      await symlink('/dev/full', path.join(dataDir, 'step.json'));
      let hasRun = false;
      const step = runRecordedStep(dataDir, { event, id: '2026-10.1', at }, async () => {
        hasRun = true;
      });
      if (event === 'pruned') await step;
      else await expect(step).rejects.toThrow('ENOSPC');
      expect(hasRun).toBe(event === 'pruned');
      expect(await readdir(dataDir)).toEqual(['history.jsonl']);
      expect((await events()).slice(1)).toEqual(event === 'pruned' ? ['pruned 2026-10.1'] : []);
    },
  );

  it('is not begun in a folder that takes no file, not even to remove a snapshot', async () => {
    const gone = path.join(dataDir, 'gone');
    const step = runRecordedStep(gone, { event: 'pruned', id: '2026-10.1', at }, async () => {});
    await expect(step).rejects.toThrow('ENOENT');
  });

  it.each(['datapackage.json', 'manifest.json'])(
    'does not know a publication for whose %s the disk is full, and the error names the file',
    async (name) => {
      const directory = path.join(dataDir, 'tmp', '2026-10.1');
      const file = path.join(directory, name);
      await mkdir(directory, { recursive: true });
      await symlink('/dev/full', file);
      await expect(publishRows(dataDir, '2026-10.1')).rejects.toThrow(
        `ENOSPC: no space left on device, write '${file}'`,
      );
      expect(await snapshotIds(dataDir)).toEqual([]);
    },
  );

  it('does not know a step that failed, and undoes a publication’s half', async () => {
    await publishRows(dataDir, '2026-10.1');
    const failing = runRecordedStep(dataDir, { event: 'published', id: '2026-11.1', at }, async () => {
      await mkdir(snapshot('2026-11.1'));
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect(await events()).toEqual(['published 2026-10.1']);
    expect(await snapshotIds(dataDir)).toEqual(['2026-10.1']);
    expect(await readdir(dataDir)).not.toContain('step.json');
  });
});

/** How many files a folder has; 0 without the folder. */
function filesIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

describe('a command killed', () => {
  const begun = (entry: object) => writeFile(path.join(dataDir, 'step.json'), JSON.stringify(entry));
  beforeEach(async () => {
    await publishRows(dataDir, '2026-10.1');
    await publishRows(dataDir, '2026-11.1');
    const lines = (await readFile(path.join(dataDir, 'history.jsonl'), 'utf8')).split('\n');
    await writeFile(path.join(dataDir, 'history.jsonl'), `${lines[0]}\n`);
  });

  it('before it became current leaves no part of a snapshot while the next one removes it', async () => {
    await switchCurrent(dataDir, '2026-10.1');
    await begun(published);
    for (let i = 0; i < 500; i++) await writeFile(path.join(snapshot('2026-11.1'), `${i}.parquet`), '');
    const whole = (await readdir(snapshot('2026-11.1'))).length;
    const seen = new Set<number>();
    let hasEnded = false;
    const recovering = recover(dataDir).finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      const files = filesIn(snapshot('2026-11.1'));
      // A folder that moves away meanwhile is not a snapshot any more.
      if (existsSync(snapshot('2026-11.1'))) seen.add(files);
      await nextTurn();
    }
    await recovering;
    expect([...seen]).toEqual([whole]);
    expect(await readdir(dataDir)).not.toContain('tmp');
  });

  it('during a download leaves nothing to the next one, which makes no lock that was not there', async () => {
    await mkdir(path.join(dataDir, 'incoming', '2026-12.1'), { recursive: true });
    const before = await readdir(dataDir);
    await recover(dataDir);
    expect(await readdir(dataDir)).toEqual(before.filter((name) => !['incoming', 'tmp'].includes(name)));
  });

  const published = { event: 'published', id: '2026-11.1', at };
  const rolledBack = { event: 'rolled-back', id: '2026-10.1', from: '2026-11.1', at };
  const pruned = { event: 'pruned', id: '2026-10.1', at };

  it.each<[string, () => Promise<unknown>, string[], string[], string]>([
    [
      'before a publication’s folder is there',
      async () => {
        await rm(snapshot('2026-11.1'), { recursive: true });
        await switchCurrent(dataDir, '2026-10.1');
        await begun(published);
      },
      ['2026-10.1'],
      ['published 2026-10.1'],
      '2026-10.1',
    ],
    [
      'before a publication becomes current',
      async () => {
        await switchCurrent(dataDir, '2026-10.1');
        await begun(published);
      },
      ['2026-10.1'],
      ['published 2026-10.1'],
      '2026-10.1',
    ],
    [
      'before a publication is entered',
      () => begun(published),
      ['2026-10.1', '2026-11.1'],
      ['published 2026-10.1', 'published 2026-11.1'],
      '2026-11.1',
    ],
    [
      'after a publication is entered',
      async () => {
        await appendToHistory(dataDir, published);
        await begun(published);
      },
      ['2026-10.1', '2026-11.1'],
      ['published 2026-10.1', 'published 2026-11.1'],
      '2026-11.1',
    ],
    [
      'after a publication is entered, before somebody went back by hand',
      async () => {
        await appendToHistory(dataDir, published);
        await begun(published);
        await switchCurrent(dataDir, '2026-10.1');
      },
      ['2026-10.1', '2026-11.1'],
      ['published 2026-10.1', 'published 2026-11.1'],
      '2026-10.1',
    ],
    [
      'while the step is written down',
      async () => {
        await appendToHistory(dataDir, published);
        await writeFile(path.join(dataDir, 'step.json'), '{"event":"rol');
      },
      ['2026-10.1', '2026-11.1'],
      ['published 2026-10.1', 'published 2026-11.1'],
      '2026-11.1',
    ],
    [
      'before a rollback switches',
      async () => {
        await appendToHistory(dataDir, published);
        await begun(rolledBack);
      },
      ['2026-10.1', '2026-11.1'],
      ['published 2026-10.1', 'published 2026-11.1'],
      '2026-11.1',
    ],
    [
      'before a rollback is entered',
      async () => {
        await appendToHistory(dataDir, published);
        await begun(rolledBack);
        await switchCurrent(dataDir, '2026-10.1');
      },
      ['2026-10.1', '2026-11.1'],
      ['published 2026-10.1', 'published 2026-11.1', 'rolled-back 2026-10.1'],
      '2026-10.1',
    ],
    [
      'before a removal',
      async () => {
        await appendToHistory(dataDir, published);
        await begun(pruned);
      },
      ['2026-10.1', '2026-11.1'],
      ['published 2026-10.1', 'published 2026-11.1'],
      '2026-11.1',
    ],
    [
      'in the middle of a removal',
      async () => {
        await appendToHistory(dataDir, published);
        await begun(pruned);
        await rename(snapshot('2026-10.1'), path.join(dataDir, 'tmp'));
      },
      ['2026-11.1'],
      ['published 2026-10.1', 'published 2026-11.1', 'pruned 2026-10.1'],
      '2026-11.1',
    ],
  ])('%s is known, and the next one clears away what it left', async (_, leave, ids, lines, current) => {
    await rm(path.join(dataDir, 'tmp'), { recursive: true, force: true });
    await leave();
    expect(await events()).toEqual(lines);
    await recover(dataDir);
    await recover(dataDir);
    expect(await snapshotIds(dataDir)).toEqual(ids);
    expect(await events()).toEqual(lines);
    expect(await currentId(dataDir)).toBe(current);
    expect((await readdir(dataDir)).sort()).toEqual(['current', 'history.jsonl', 'snapshots']);
  });

  it('never costs a snapshot that somebody put there by hand', async () => {
    await mkdir(snapshot('2026-09.1'));
    await begun({ event: 'published', id: '../../2026-09.1', at });
    await finishStep(dataDir);
    expect(await snapshotIds(dataDir)).toEqual(['2026-09.1', '2026-10.1', '2026-11.1']);
  });
});

describe('publicationOrder', () => {
  const folders = async (...ids: string[]) => {
    for (const id of ids) await mkdir(snapshot(id), { recursive: true });
  };
  const publishedInTurn = async (...ids: string[]) => {
    await folders(...ids);
    for (const id of ids) await appendToHistory(dataDir, { event: 'published', id, at });
  };

  it('is the order of publication, not of months', async () => {
    await publishedInTurn('2026-11.1', '2026-10.1', '2026-10.2');
    const { retained, previousOf } = await publicationOrder(dataDir);
    expect(retained).toEqual(['2026-11.1', '2026-10.1', '2026-10.2']);
    expect([previousOf('2026-10.2'), previousOf('2026-10.1'), previousOf('2026-11.1')]).toEqual([
      '2026-10.1',
      '2026-11.1',
      null,
    ]);
  });

  it('has a snapshot once whose line was written twice', async () => {
    await publishedInTurn('2026-10.1', '2026-11.1', '2026-10.1');
    expect((await publicationOrder(dataDir)).retained).toEqual(['2026-11.1', '2026-10.1']);
  });

  it('is not changed by rolling back', async () => {
    await publishedInTurn('2026-10.1', '2026-11.1');
    await appendToHistory(dataDir, { event: 'rolled-back', id: '2026-10.1', from: '2026-11.1', at });
    await publishedInTurn('2026-12.1');
    expect((await publicationOrder(dataDir)).previousOf('2026-12.1')).toBe('2026-11.1');
  });

  it('skips snapshots that are gone', async () => {
    await publishedInTurn('2026-10.1', '2026-11.1', '2026-12.1');
    await rm(snapshot('2026-11.1'), { recursive: true });
    const { retained, previousOf } = await publicationOrder(dataDir);
    expect([retained, previousOf('2026-12.1'), previousOf('2026-11.1')]).toEqual([
      ['2026-10.1', '2026-12.1'],
      '2026-10.1',
      '2026-10.1',
    ]);
    expect(previousOf('2020-01.1')).toBeNull();
  });

  it('counts what the history does not know as published first', async () => {
    await publishedInTurn('2026-10.1');
    await folders('2026-12.1', '2026-09.1');
    expect((await publicationOrder(dataDir)).retained).toEqual(['2026-09.1', '2026-12.1', '2026-10.1']);
  });

  it('never gives an id twice, even when its snapshot is gone or was put there by hand', async () => {
    expect(await nextRevision(dataDir, '2026-11')).toBe(1);
    await publishedInTurn('2026-11.1', '2026-11.2');
    await appendToHistory(dataDir, { event: 'rolled-back', id: '2026-11.1', from: '2026-11.2', at });
    await appendToHistory(dataDir, { event: 'pruned', id: '2026-11.2', at });
    await rm(snapshot('2026-11.2'), { recursive: true });
    expect(await nextRevision(dataDir, '2026-11')).toBe(3);
    await folders('2026-11.10');
    expect(await nextRevision(dataDir, '2026-11')).toBe(11);
    expect(await nextRevision(dataDir, '2026-12')).toBe(1);
  });
});

describe('supersededAtMs', () => {
  const hour = (h: number) => new Date(Date.UTC(2026, 10, 1, h)).toISOString();
  const superseded = (...lines: [event: string, id: string, at: string, from?: string][]) =>
    Object.fromEntries(
      [
        ...supersededMsById(
          lines.map(([event, id, when, from]) => ({
            event,
            id,
            at: when,
            ...(from !== undefined && { from }),
          })),
        ),
      ].map(([id, ms]) => [id, new Date(ms).toISOString()]),
    );

  it('is when another snapshot became current, by publication or rollback', () => {
    expect(superseded(['published', 'a', hour(1)], ['published', 'b', hour(2)])).toEqual({ a: hour(2) });
    expect(
      superseded(
        ['published', 'a', hour(1)],
        ['published', 'b', hour(2)],
        ['rolled-back', 'a', hour(3), 'b'],
      ),
    ).toEqual({ b: hour(3) });
    expect(superseded(['rolled-back', 'a', hour(3), 'b'])).toEqual({ b: hour(3) });
    expect(superseded(['published', 'a', hour(1)], ['pruned', 'x', hour(2)])).toEqual({});
  });

  it('is never earlier than what happened before, when a clock was set back', () => {
    expect(
      superseded(['published', 'a', hour(8)], ['published', 'b', hour(9)], ['published', 'c', hour(1)]),
    ).toEqual({ a: hour(9), b: hour(9) });
  });

  it('is taken from the other entries when a time cannot be read', () => {
    expect(superseded(['published', 'a', hour(8)], ['published', 'b', 'yesterday'])).toEqual({ a: hour(8) });
    const [one, other] = ['yesterday', 'today'] as const;
    expect(
      superseded(['published', 'a', one], ['published', 'b', other], ['published', 'c', hour(9)]),
    ).toEqual({
      b: hour(9),
    });
  });
});
