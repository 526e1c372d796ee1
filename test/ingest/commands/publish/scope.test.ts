// The end of a scope waits for the work that it has begun, and closes what it has opened.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Scope } from '../../../../ingest/commands/publish/scope.ts';

/** A scope, and what has ended in it so far. `opening` opens something, and `working` ends later. */
function observed() {
  const scope = new Scope();
  const ended: string[] = [];
  const opening = async (name: string) => ({ close: () => ended.push(name) });
  const working = async (name: string) => {
    await nextTurn();
    ended.push(name);
  };
  return { scope, ended, opening, working };
}

it('the last resource is closed first, after the work that uses it', async () => {
  const { scope, ended, opening, working } = observed();
  scope.defer(() => ended.push('folder'));
  scope.own(opening('engine')).catch(() => {});
  scope.begin(working('work')).catch(() => {});
  await scope.end();
  expect(ended).toEqual(['work', 'engine', 'folder']);
});

it('what running work opens and begins ends too', async () => {
  const { scope, ended, opening, working } = observed();
  const work = async () => {
    await working('work');
    scope.own(opening('late engine')).catch(() => {});
    scope.begin(working('late work')).catch(() => {});
  };
  scope.own(opening('engine')).catch(() => {});
  scope.begin(work()).catch(() => {});
  await scope.end();
  expect(ended).toEqual(['work', 'late work', 'late engine', 'engine']);
});

it('a failure is that of whoever awaits it, and the end closes the rest', async () => {
  const { scope, ended, opening } = observed();
  scope.own(opening('engine')).catch(() => {});
  const fail = async () => {
    throw new Error('it failed');
  };
  const failing = [scope.own(fail()), scope.begin(fail())];
  await scope.end();
  expect(ended).toEqual(['engine']);
  for (const promise of failing) await expect(promise).rejects.toThrow('it failed');
});

it('a close that fails does not keep the others open', async () => {
  const { scope, ended, opening } = observed();
  scope.own(opening('engine')).catch(() => {});
  scope.defer(() => {
    throw new Error('it does not close');
  });
  await expect(scope.end()).rejects.toThrow('it does not close');
  expect(ended).toEqual(['engine']);
});
