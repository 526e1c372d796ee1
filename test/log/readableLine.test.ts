// Lines of the log in the form for people at a terminal.

import { describe, expect, it } from '@jest/globals';
import { readableLine } from '../../src/log/readableLine.ts';

const TIME = Date.UTC(2026, 10, 22, 10, 42, 53, 120);

describe('a line of the log on a terminal', () => {
  it('shows time, level, message and facts', () => {
    const facts = { keyId: 'k7m2', method: 'GET', path: '/v1/catalog', status: 200, host: 'a b', left: true };
    const line = readableLine(
      JSON.stringify({ level: 30, time: TIME, pid: 1, hostname: 'x', ...facts, msg: 'answered' }),
    );
    expect(line).toBe(
      '10:42:53.120 info  answered keyId=k7m2 method=GET path=/v1/catalog status=200 host="a b" left=true\n',
    );
  });

  it('shows the stack of an error below, and nothing that acts on a terminal', () => {
    const err = { type: 'Error', message: 'x', stack: 'Error: x\u001b[2J\n    at y' };
    const line = readableLine(JSON.stringify({ level: 50, time: TIME, err, msg: 'failed\nfalse line' }));
    expect(line).toBe('10:42:53.120 error failed\\nfalse line\nError: x\\u001b[2J\n    at y\n');
  });
});
