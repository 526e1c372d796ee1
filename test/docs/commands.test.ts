// Every command in the README and the documents works as printed, against a server that asks for a key.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keysCommandLine } from '../../src/access/commands/keysCommandLine.ts';
import { readConfig } from '../../src/config/config.ts';
import { isDeep } from '../support/depth.ts';
import { blocksOf, commandsOf, DOCUMENTS } from '../support/documents.ts';
import { freePort } from '../support/freePort.ts';
import { retryUnavailable } from '../support/retryUnavailable.ts';
import { ingestCommand, runInProcess } from '../support/runInProcess.ts';
import { aSample } from '../support/sample.ts';
import { type ServerProcess, spawnServer } from '../support/serverProcess.ts';
import { aStory } from '../support/story.ts';

const run = promisify(execFile);

/** Commands that other tests run, each with the test that runs it. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [
    /^make (start|test)\b/,
    'test/long/clone.test.ts runs make start in a fresh clone; make test runs this test',
  ],
  [/^export API_KEY=sk_live_…$/, 'stands for the key that the claim page shows; the commands below use one'],
  [/^python3 -m venv/, 'needs packages from the network; test/long/notebooks.test.ts installs them'],
  [/^\.venv\/bin\/jupyter/, 'opens a browser; test/long/notebooks.test.ts runs the notebooks'],
  [/REDIS_URL=redis:.* npm start &$/, 'servers that share one Redis: test/twoServers.test.ts'],
  [/<[a-z]+>/, 'shows the form of a command, with names to fill in'],
  [/--accept vanished/, 'needs a month with losses: test/ingest/commands/diff.test.ts'],
];

/**
 * These commands read all sources of a month, so they run in the long tests. test/support/globalSetup.mjs publishes
 * the sample with such a command, and the tests of test/ingest/commands run each of them on smaller months.
 */
const IN_DEPTH = /--dry-run|--filled|ingest -- (?:publish|diff) /;

const isElsewhere = (command: string) => ELSEWHERE.some(([pattern]) => pattern.test(command));

let server: ServerProcess;
let url: string;
let dataDir: string;
let environment: Record<string, string | undefined>;
/** The id of a key that commands may limit and revoke. */
let keyId: string;
let remove: () => Promise<void>;

beforeAll(async () => {
  ({ dataDir, remove } = await aSample());
  const settings = { DATA_DIR: dataDir, PORT: await freePort(), LOG_LEVEL: 'silent' };
  const { REDIS_URL: _, ...inherited } = process.env;
  environment = { ...inherited, ...settings, NODE_OPTIONS: '' };
  server = spawnServer(settings);
  url = await server.url();
  const issue = async () => {
    const line = keysCommandLine(() => readConfig(settings));
    return JSON.parse((await runInProcess(line, ['issue', '--label', 'docs', '--json'])).stdout);
  };
  environment.API_KEY = (await issue()).key;
  keyId = (await issue()).id;
}, 120_000);
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
  await remove();
});

/**
 * Runs a command as a user types it in the project's folder. Only the server's address, the data folder and the key's
 * id differ.
 */
const shell = (command: string) =>
  run('bash', ['-c', `set -o pipefail; ${command}`], { env: environment as NodeJS.ProcessEnv });

/** The npm scripts that were already run in a process of their own. */
const started = new Set<string>();

/**
 * Runs a command. An npm script gets a process of its own the first time. After that it runs in this process, because
 * only its arguments still matter.
 */
async function type(command: string): Promise<{ stdout: string }> {
  const [, script] =
    /^npm run (?:--silent )?(ingest|keys) -- [^|&;<>$`\\*?~]+$/.exec(command.replace(/\s+# .*/, '')) ?? [];
  if (script === undefined || !started.has(script)) {
    if (script !== undefined) started.add(script);
    return shell(command);
  }
  const words = wordsOf(command);
  const args = words.slice(words.indexOf('--') + 1);
  const settings = environment as Record<string, string>;
  const done =
    script === 'ingest'
      ? await ingestCommand(dataDir, args)
      : await runInProcess(
          keysCommandLine(() => readConfig(settings)),
          args,
        );
  if (done.code !== 0) throw new Error(`${command} ends with ${done.code}: ${done.stderr}`);
  return done;
}

/** Splits a command of plain and quoted words as a shell does, up to a comment. */
function wordsOf(command: string): string[] {
  const typed = [...command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word);
  const comment = typed.findIndex((word) => word.startsWith('#'));
  const words = comment === -1 ? typed : typed.slice(0, comment);
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** How many files the commands have written. Each file gets a name of its own. */
let written = 0;

const here = (text: string) =>
  text
    .replaceAll('http://127.0.0.1:3000', url)
    .replace(/(?<![\w/.-])data\/(?=sources|current|snapshots)/g, `${dataDir}/`)
    .replaceAll('k7m2x9qd4np', keyId)
    // The commands write to the scratch folder, not into the project's.
    .replaceAll('--out ', () => `--out ${dataDir}/${++written}-`)
    .replaceAll('curl -OJ ', `curl -OJ --output-dir ${dataDir} `);

/** Commands of earlier documents, so that the names of tests tell equal commands apart. */
const ran = new Set<string>();

describe.each(DOCUMENTS.map((document) => [document, blocksOf(document, 'sh')] as const))(
  '%s',
  (_, blocks) => {
    // The commands of a document run in its order, as a reader types them.
    const step = aStory();
    for (const block of blocks) {
      for (const command of commandsOf(block).filter((text) => !isElsewhere(text))) {
        const typed = command.replace(/\s+# .*/, '');
        if (ran.has(typed)) continue;
        ran.add(typed);
        if (IN_DEPTH.test(command) && !isDeep) continue;
        step(`line ${block.line}: ${command.slice(0, 90)}`, async () => {
          const { stdout } = await retryUnavailable(async () => {
            const done = await type(here(command));
            return { ...done, status: done.stdout.includes('Service temporarily unavailable') ? 503 : 200 };
          });
          if (!/^export |^curl -OJ /.test(command)) expect(stdout).not.toBe('');
          // A refusal of the API is also JSON, and curl exits with 0.
          expect(stdout).not.toMatch(/^\{"error"/m);
          expect(stdout).not.toMatch(/^HTTP\/1\.1 [45]/m);
        });
      }
    }

    step('leaves the newest snapshot current for the next document', async () => {
      expect(await ingestCommand(dataDir, ['rollback', '2026-11.1'])).toMatchObject({ code: 0 });
    });
  },
);

describe('a command that is not run here', () => {
  const commands = DOCUMENTS.flatMap((document) => blocksOf(document, 'sh')).flatMap(commandsOf);

  it.each(ELSEWHERE.map(([pattern, why]) => [why, pattern] as const))(
    'is in a document: %s',
    (why, pattern) => {
      expect(commands.filter((command) => pattern.test(command))).not.toEqual([]);
      const [file] = /test\/[\w/.-]+\.ts/.exec(why) ?? [];
      if (file !== undefined) expect(readFileSync(path.resolve(file), 'utf8')).not.toBe('');
    },
  );
});
