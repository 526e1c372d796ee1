// docs/openapi-released.json is the document at the newest date of the changelog.
// With UPDATE_DOCS=1 this test writes it, and test/long/breaking.test.ts compares it with today's document.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { orElse } from '../support/orElse.ts';

const RELEASED = 'docs/openapi-released.json';

it('docs/openapi-released.json belongs to the newest dated entry of the changelog', () => {
  const [, newest] = /^## (\d{4}-\d{2}-\d{2})$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  const released = () =>
    existsSync(RELEASED) ? (JSON.parse(readFileSync(RELEASED, 'utf8')) as { 'x-released': string }) : null;
  if (process.env.UPDATE_DOCS === '1' && released()?.['x-released'] !== newest) {
    const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    writeFileSync(RELEASED, `${JSON.stringify({ 'x-released': newest, ...document }, null, 2)}\n`);
  }
  orElse(
    'run npm test -- --testPathIgnorePatterns /node_modules/ --testMatch "**/test/long/breaking.test.ts", then UPDATE_DOCS=1 npm test -- test/docs/released.test.ts',
    () => expect(released()?.['x-released']).toBe(newest),
  );
});
