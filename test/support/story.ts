// Tests that follow each other: `const step = aStory(); step('starts', async () => …)`.

import { it } from '@jest/globals';

/**
 * Returns a function that defines a test like `it`. Each test first runs the earlier tests of the story that have not run
 * yet. When a test fails, all later ones fail with the same error.
 */
export function aStory(): (name: string, act: () => Promise<void>) => void {
  let last = () => Promise.resolve();
  return (name, act) => {
    const before = last;
    let run: Promise<void> | null = null;
    const runOnce = () => {
      run ??= before().then(act);
      return run;
    };
    last = runOnce;
    it(name, runOnce);
  };
}
