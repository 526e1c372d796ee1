// Adds a remedy to the message of a failed expectation: `orElse('run npm run fmt', () => expect(…).toBe(…))`.

/**
 * Calls `check`, and adds the remedy to the message of the error that it throws.
 *
 * @param remedy A command, or the change of a file.
 */
export function orElse(remedy: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof Error) error.message += `\n\nWhat to do: ${remedy}`;
    throw error;
  }
}

/** The command that writes generated documents. */
export const UPDATE_DOCS =
  'run UPDATE_DOCS=1 npm test -- test/docs and look at the difference; where docs/openapi.json changes, then run cd clients/typescript && npm ci && npm run generate';
