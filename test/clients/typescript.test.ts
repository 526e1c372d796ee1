// The TypeScript client's types are those of docs/openapi.json. test/long compiles the client and asks a server with it.

import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { sha256 } from '../../src/sha256.ts';

it('the TypeScript client was generated from the current docs/openapi.json', () => {
  const [first] = readFileSync('clients/typescript/src/schema.ts', 'utf8').split('\n');
  const digest = sha256(readFileSync('docs/openapi.json', 'utf8'), 'hex');
  // Otherwise: cd clients/typescript && npm ci && npm run generate
  expect(first).toContain(`docs/openapi.json with SHA-256 ${digest};`);
});

it('its lockfile names no host', () => {
  expect(readFileSync('clients/typescript/package-lock.json', 'utf8')).not.toMatch(/"resolved":/);
});
