// A matcher for compiled queries: it compares text and values, and has a real engine prepare the statement.

import { expect } from '@jest/globals';
import type { Snapshot } from '../../../src/catalog/snapshot.ts';
import type { CompiledQuery } from '../../../src/query/selection/compile.ts';

declare module 'expect' {
  interface Matchers<R> {
    /** The statement has this text and these values, and `snapshot` can prepare it with parameters of its types. */
    toCompileTo(snapshot: Snapshot, text: string, values: readonly number[]): Promise<R>;
  }
}

expect.extend({
  async toCompileTo(received: unknown, snapshot: Snapshot, text: string, values: readonly number[]) {
    const compiled = received as CompiledQuery;
    if (typeof compiled === 'string') {
      return { pass: false, message: () => `compiled to ${compiled}, without a statement` };
    }
    const { types } = compiled;
    const prepared = await prepare(snapshot, compiled.text);
    const actual = { text: compiled.text, values: compiled.values, types, ...prepared };
    const wanted = { text, values, types, problem: null, parameters: values.length };
    return {
      pass: this.equals(actual, wanted) && types.length === values.length,
      message: () => this.utils.diff(wanted, actual) ?? 'there is a type for every value',
    };
  },
});

async function prepare(snapshot: Snapshot, text: string) {
  try {
    const statement = await snapshot.connections[0]?.prepare(text);
    return { problem: null, parameters: statement?.parameterCount };
  } catch (cause) {
    return { problem: (cause as Error).message, parameters: 0 };
  }
}
