// Runs the steps of the Dockerfile as a script: in a clean folder, as an unprivileged user, with the project read-only.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/freePort.ts';
import { publishRows } from '../support/snapshot.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

interface Stage {
  readonly name: string;
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'image-'));
chmodSync(folder, 0o755);
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
});

/** A folder stands for the root of a stage. Paths of the image lie below it. */
const inStage = ({ root, workdir }: Stage, file: string) => path.join(root, path.resolve(workdir, file));

/** These instructions only concern the container engine. */
const WITHOUT_FILES = new Set(['VOLUME', 'EXPOSE', 'STOPSIGNAL']);

/** Runs the instructions that make files. Gives the last stage, the command that it would start, and the user. */
function buildImage(dockerfile: string, context: string) {
  const stages: Stage[] = [];
  let healthcheck = '';
  let command: string[] = [];
  let user = 'root';
  for (const line of dockerfile.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const stage = stages.at(-1) as Stage;
    if (instruction === 'FROM') {
      const name = / AS (\w+)/.exec(rest)?.[1] ?? 'last';
      stages.push({ name, root: path.join(folder, name), workdir: '/', env: {} });
    } else if (instruction === 'WORKDIR') {
      stage.workdir = rest;
      mkdirSync(inStage(stage, '.'), { recursive: true });
    } else if (instruction === 'ENV') {
      const [name = '', value = ''] = rest.split(/=(.*)/s);
      if (name !== 'PATH') stage.env[name] = value;
    } else if (instruction === 'COPY') {
      const [, from, files = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
      const names = files.split(' ');
      const target = inStage(stage, names.pop() ?? '');
      const source = stages.find(({ name }) => name === from);
      for (const name of names) {
        const origin = source ? path.join(source.root, name) : path.join(context, name);
        const isInto = names.length > 1 || target.endsWith('/') || path.basename(name).includes('.');
        cpSync(origin, isInto ? path.join(target, path.basename(name)) : target, {
          recursive: true,
          verbatimSymlinks: true,
        });
      }
    } else if (instruction === 'RUN') {
      // The data folder is made later, outside the stage.
      if (!rest.startsWith('mkdir -p /'))
        execFileSync('sh', ['-c', rest], { cwd: inStage(stage, '.'), stdio: 'pipe' });
    } else if (instruction === 'USER') user = rest;
    else if (instruction === 'HEALTHCHECK') healthcheck = rest.replace(/^.*? CMD /, '');
    else if (instruction === 'CMD') command = JSON.parse(rest) as string[];
    else if (!WITHOUT_FILES.has(instruction)) throw new Error(`this test cannot run the line: ${line}`);
  }
  return { stage: stages.at(-1) as Stage, healthcheck, command, user };
}

describe('the Dockerfile', () => {
  it('makes a server that runs as nobody from read-only files and passes its own health check', async () => {
    const context = path.join(folder, 'context');
    mkdirSync(context);
    const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', context], { input: archive });
    const { stage, healthcheck, command, user } = buildImage(
      readFileSync('deploy/docker/Dockerfile', 'utf8'),
      context,
    );
    expect(user).toBe('node');
    const project = inStage(stage, '.');
    execFileSync('chmod', ['-R', 'a-w,a+rX', stage.root]);
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir);
    await publishRows(dataDir, '2026-11.1');
    execFileSync('chmod', ['-R', 'a+rX', dataDir]);
    if (isRoot) chownSync(dataDir, NOBODY, NOBODY);

    const PORT = await freePort();
    const env = {
      ...stage.env,
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT,
    };
    const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const [, ...args] = command;
    const server = spawn(process.execPath, args, { cwd: project, env, ...identity });
    let output = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += text));
    const isHealthy = () =>
      spawnSync('sh', ['-c', healthcheck], { cwd: project, env, ...identity }).status === 0;
    while (!isHealthy() || !output.includes('Listening on')) {
      if (server.exitCode !== null) throw new Error(output);
      await sleep(200);
    }
    expect((await fetch(`http://127.0.0.1:${PORT}/v1/catalog`)).status).toBe(401);
    for (const name of ['ingest', 'keys']) {
      const { status, stderr } = spawnSync(path.join(project, 'deploy/bin', name), ['list'], {
        env,
        ...identity,
        encoding: 'utf8',
      });
      expect([name, status, stderr]).toEqual([name, 0, '']);
    }
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    expect(code).toBe(0);
    expect(isHealthy()).toBe(false);
    // Development tools are not part of the image.
    expect(spawnSync('test', ['-e', path.join(project, 'node_modules/jest')]).status).toBe(1);
  }, 600_000);
});
