// `current` can be switched after a process was killed while switching it, and a disk that cannot switch it is named.

import { execFile } from 'node:child_process';
import { readdir, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { switchCurrent } from '../../src/store/switchCurrent.ts';
import { aDataDir, publishRows } from '../support/snapshot.ts';

const run = promisify(execFile);
const MODULE = pathToFileURL(path.resolve('dist/src/store/switchCurrent.js')).href;

it('current is switched although a process that was killed has left its link to another snapshot', async () => {
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-10.1');
  await publishRows(dataDir, '2026-11.1');
  await symlink('snapshots/2026-11.1', path.join(dataDir, 'current.new'));
  await switchCurrent(dataDir, '2026-10.1');
  expect(await readlink(path.join(dataDir, 'current'))).toBe('snapshots/2026-10.1');
  expect(await readdir(dataDir)).not.toContain('current.new');
  await remove();
});

it('a disk that cannot replace a link is named as the reason, and `current` stays', async () => {
  const { dataDir, remove } = await aDataDir();
  await publishRows(dataDir, '2026-10.1');
  await publishRows(dataDir, '2026-11.1');
  // A share over SFTP refuses such a rename so. No disk that can be mounted in every test does.
  const hook = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    fs.promises.rename = async () => {
      throw Object.assign(new Error('EPERM: operation not permitted, rename'), { code: 'EPERM', errno: -1 });
    };
    syncBuiltinESMExports();`;
  const program = `
    const { switchCurrent } = await import(${JSON.stringify(MODULE)});
    await switchCurrent(process.argv[1], '2026-10.1').catch(({ message }) => console.log(message));`;
  const { stdout } = await run(process.execPath, [
    `--import=data:text/javascript,${encodeURIComponent(hook)}`,
    '--input-type=module',
    '-e',
    program,
    dataDir,
  ]);
  expect(stdout).toBe(
    `${dataDir} is on a disk that cannot replace a link, such as a share over SFTP, and \`current\` is one; ` +
      'name a folder on another disk in DATA_DIR\n',
  );
  expect(await readlink(path.join(dataDir, 'current'))).toBe('snapshots/2026-11.1');
  await remove();
});
