// The systemd units and the container files name settings and files that exist.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SETTINGS } from '../../src/config/settings.ts';
import { MAX_HEAD_BYTES } from '../../src/http/server/checkRequest.ts';
import { IDLE_CONNECTION_MS } from '../../src/http/server/server.ts';

const UNITS = 'deploy/systemd';
const units = readdirSync(UNITS);
const services = units.filter((file) => file.endsWith('.service'));
const read = (file: string) => readFileSync(file, 'utf8');

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasAnalyze)
  process.stderr.write('systemd-analyze is missing: the units are not verified; apt-get install systemd\n');
const withAnalyze = hasAnalyze ? it : it.skip;

describe('the systemd units', () => {
  withAnalyze.each(services)('%s has an exposure of at most 2.0', (service) => {
    const text = execFileSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', path.join(UNITS, service)],
      { encoding: 'utf8' },
    );
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(text) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(2.0);
  });

  withAnalyze('hold nothing that systemd does not know', () => {
    const { stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...units.map((file) => path.join(UNITS, file))],
      {
        encoding: 'utf8',
      },
    );
    // The program is not installed at its path here, so this problem means nothing.
    const problems = stderr
      .split('\n')
      .filter((line) => line !== '' && !/is not executable|Failed to create/.test(line));
    expect(problems.filter((line) => line.includes(UNITS))).toEqual([]);
  });

  // An earlier line of the unit denies all of @resources, which includes this system call.
  it('let the thread of heavy questions lower its priority', () => {
    const filters = [...read(path.join(UNITS, 'data-api.service')).matchAll(/^SystemCallFilter=(.+)$/gm)];
    expect(filters.at(-1)?.[1]).toBe('setpriority');
  });

  it('let journald drop no line of the server', () => {
    expect(read(path.join(UNITS, 'data-api.service'))).toMatch(/^LogRateLimitIntervalSec=0$/m);
  });

  it('name settings and files that exist', () => {
    for (const unit of services) {
      const names = [...read(path.join(UNITS, unit)).matchAll(/^Environment=(\w+)=/gm)].map(
        ([, name]) => name,
      );
      const unknown = names.filter(
        (name) =>
          name !== undefined && !(name in SETTINGS) && !/^(?:NODE_ENV|UV_THREADPOOL_SIZE)$/.test(name),
      );
      expect([unit, unknown]).toEqual([unit, []]);
    }
    const text = services.map((service) => read(path.join(UNITS, service))).join('\n');
    const named = [...text.matchAll(/file:\/\/\/opt\/data-api\/(\S+)/g)].map(([, file = '']) => file);
    expect(named).toContain('docs/operations.md');
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the container files', () => {
  const dockerfile = read('deploy/docker/Dockerfile');
  const compose = read('deploy/docker/compose.yaml');

  it('copy what is there, and run as somebody who is not root', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    expect(copied.length).toBeGreaterThan(8);
    expect(copied.filter((file) => !existsSync(file))).toEqual([]);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(compose).toMatch(/^ {4}read_only: true$/m);
  });

  it('set settings that exist', () => {
    const [, api = ''] = /\n {2}api:\n([\s\S]*?)\n {2}redis:\n/.exec(compose) ?? [];
    const [, block = ''] = /environment:\n((?: {6}.*\n)+)/.exec(api) ?? [];
    const names = [...block.matchAll(/^ {6}(\w+):/gm), ...dockerfile.matchAll(/^ENV (\w+)=/gm)].map(
      ([, name = '']) => name,
    );
    expect(names).toContain('REDIS_URL');
    expect(
      names.filter(
        (name) => !(name in SETTINGS) && !['NODE_ENV', 'UV_THREADPOOL_SIZE', 'PATH'].includes(name),
      ),
    ).toEqual([]);
  });

  it('limit the log of every container, which Docker would keep for ever', () => {
    const [, services = ''] = /\nservices:\n([\s\S]*?)\nvolumes:/.exec(compose) ?? [];
    const parts = services.split(/^(?= {2}\w+:$)/m).slice(-3);
    expect(parts.map((part) => /^ {2}(\w+):/.exec(part)?.[1])).toEqual(['api', 'redis', 'caddy']);
    for (const part of parts) expect(part).toMatch(/^ {4}logging: \*logging$/m);
    expect(compose).toMatch(/^x-logging: &logging \{.* max-size: \w+,/m);
  });

  it('have an example of the file with their passwords, which git and the image leave out', () => {
    const asked = [...compose.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name);
    const examples = [...read('deploy/docker/.env.example').matchAll(/^(\w+)=$/gm)].map(
      ([, name = '']) => name,
    );
    expect([...new Set(asked)].sort()).toEqual(examples.sort());
    expect(read('.gitignore').split('\n')).toContain('.env');
    expect(read('.dockerignore').split('\n')).toContain('**/.env');
  });

  it('mount files that exist', () => {
    const mounted = [...compose.matchAll(/- (\.{1,2}\/\S+?):/g)].map(([, file = '']) =>
      path.join('deploy/docker', file),
    );
    expect(mounted.length).toBeGreaterThan(2);
    expect(mounted.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('the file of HAProxy', () => {
  it('has buffers for the longest head that the server takes, and answers in JSON where no server does', () => {
    const text = read('deploy/haproxy/haproxy.cfg');
    const [, bytes] = /^ {2}tune\.bufsize (\d+)$/m.exec(text) ?? [];
    // The head of an answer repeats the query in its Link. Other headers, and those that HAProxy adds, need room as well.
    expect(Number(bytes)).toBeGreaterThanOrEqual(MAX_HEAD_BYTES + 16 * 1024);
    const answered = [
      ...text.matchAll(/^ {2}http-error status (\d+) content-type application\/json string '\{"error":/gm),
    ];
    expect(answered.map(([, status]) => status)).toEqual(['404', '502', '503', '504']);
    expect(text).toContain('deny status 404 default-errorfiles if');
  });
});

it('Caddy closes idle connections before the server does, so that no form is sent into one that closes', () => {
  const [, seconds] = /^\t\t\tkeepalive (\d+)s$/m.exec(read('deploy/docker/Caddyfile')) ?? [];
  expect(Number(seconds) * 1000).toBeLessThan(IDLE_CONNECTION_MS);
});

describe('the commands of an installed program', () => {
  it.each(['ingest', 'keys'])('%s starts from any folder and through a link', (name) => {
    const file = path.resolve('deploy/bin', name);
    expect(statSync(file).mode & 0o111).not.toBe(0);
    const { stdout, status } = spawnSync(file, ['--help'], { cwd: '/', encoding: 'utf8' });
    expect([status, stdout.includes('Usage')]).toEqual([0, true]);
  });

  it.each([
    ['ingest', 'DATA_DIR'],
    ['keys', 'REDIS_URL'],
  ])(
    '%s without %s and without the right to read the settings is refused with a remedy',
    (name, variable) => {
      const { settings, identity } = unreadableSettings();
      const { DATA_DIR: _, REDIS_URL: __, ...inherited } = process.env;
      const run = (args: readonly string[], more: Record<string, string> = {}) =>
        spawnSync('sh', ['-s', '--', ...args], {
          ...identity,
          cwd: '/',
          // The text is passed as input, because another user may not reach the file. The code after the check is
          // left out.
          input: read(`deploy/bin/${name}`).replace(/^exec node .*$/m, 'echo goes on'),
          env: { ...inherited, DATA_API_SETTINGS: settings, ...more },
          encoding: 'utf8',
        });
      const { status, stdout, stderr } = run(['list']);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(new RegExp(`^${settings} cannot be read by \\S+; run .* -- ${name} …\n$`));
      expect(run(['list'], { [variable]: '/elsewhere' }).stdout).toBe('goes on\n');
      expect(run(['list', '--help']).stdout).toBe('goes on\n');
    },
  );
});

/** A file that a user may not read, and that user. Root may read every file, so `nobody` takes its place. */
function unreadableSettings() {
  if (process.getuid?.() === 0) return { settings: '/etc/shadow', identity: { uid: NOBODY, gid: NOBODY } };
  const settings = path.join(mkdtempSync(path.join(os.tmpdir(), 'settings-')), 'data-api.env');
  writeFileSync(settings, '', { mode: 0o000 });
  return { settings, identity: {} };
}

const NOBODY = 65534;
