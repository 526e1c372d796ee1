// docs/operations.md agrees with the code: its alerts, settings, metrics and commands exist.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SETTINGS } from '../../src/config/settings.ts';
import { orElse } from '../support/orElse.ts';

const PAGE = readFileSync('docs/operations.md', 'utf8');
const ALERTS = readFileSync('deploy/alerts.yml', 'utf8');

/** Variables of AWS's tools, which are not settings of ours. */
const STORE_VARIABLES = ['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'REGION', 'ENDPOINT_URL_S3'].map(
  (name) => `AWS_${name}`,
);

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

describe('docs/operations.md', () => {
  it('has the cause and the remedy of every alert, in their order', () => {
    const [, table = ''] = /## Alerts\n\n([\s\S]*?)\n\n/.exec(PAGE) ?? [];
    const rows = matches(table, /^\| `(\w+)` \| [^|]{8,} \| [^|]{8,} \|$/gm);
    orElse('give each alert of deploy/alerts.yml a row in the table of alerts in docs/operations.md', () =>
      expect(rows).toEqual(matches(ALERTS, /- alert: (\w+)/g)),
    );
  });

  it('names settings that exist', () => {
    const named = [
      ...matches(PAGE, /`([A-Z][A-Z_]+[A-Z])(?:=\w+)?`/g),
      ...matches(PAGE, /^ {3}([A-Z_]+)=/gm),
    ];
    const others = new Set([
      'NODE_EXTRA_CA_CERTS',
      'PASSWORD',
      'SITE',
      'TMPDIR',
      'REDIS_PASSWORD',
      'READY',
      'BUCKET',
      'SNAPSHOT',
      ...STORE_VARIABLES,
    ]);
    expect(named.length).toBeGreaterThan(15);
    orElse(
      'correct the name in docs/operations.md, or add it to `others` here if it is no setting of ours',
      () => expect(named.filter((name) => !(name in SETTINGS) && !others.has(name))).toEqual([]),
    );
  });

  it('names commands that exist', () => {
    const commandsOf = (file: string) =>
      [...readFileSync(file, 'utf8').matchAll(/\b(?:sub|addCommand)\(\s*'([a-z-]+)/g)].map(
        ([, command]) => command,
      );
    const programs = {
      ingest: commandsOf('ingest/commands/program.ts'),
      keys: commandsOf('src/access/commands/keysCommandLine.ts'),
    };
    const named = [
      ...PAGE.matchAll(/\b(ingest|keys) (publish|rollback|verify|list|export|import|limits|invite)\b/g),
    ];
    expect(named.length).toBeGreaterThan(7);
    for (const [, program, command] of named)
      expect(programs[program as keyof typeof programs]).toContain(command);
  });
});
