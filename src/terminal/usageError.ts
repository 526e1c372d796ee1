// The error for a wrong use of a command: exit code 2.

/**
 * A command was used in a wrong way. The message names the problem. `commandLine.ts` adds `; see --help`, unless the
 * message lists everything that may be written.
 */
export class UsageError extends Error {
  readonly listsAll: boolean;

  constructor(message: string, { listsAll = false }: { readonly listsAll?: boolean } = {}) {
    super(message);
    this.listsAll = listsAll;
    this.name = 'UsageError';
  }
}
