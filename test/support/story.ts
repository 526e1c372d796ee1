// Tests that follow each other: `const step = aStory(); step('starts', async () => …)`.

import { it } from '@jest/globals';

/**
 * Gives a function that defines a test like `it`. Each of them needs those before it: whichever jest runs first runs
 * these, too, and each runs once. When one fails, all behind it fail with the same error.
 */
export function aStory(): (name: string, act: () => Promise<void>) => void {
  let last = () => Promise.resolve();
  return (name, act) => {
    const before = last;
    let told: Promise<void> | null = null;
    const tell = () => {
      told ??= before().then(act);
      return told;
    };
    last = tell;
    it(name, tell);
  };
}
