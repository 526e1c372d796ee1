// The error for a wrong use of a command: exit code 2.

/** A command was used in a wrong way. The message names the problem, and `commandLine.ts` adds `; see --help`. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
