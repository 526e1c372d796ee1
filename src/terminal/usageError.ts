// The error for a wrong use of a command: exit code 2.

/** The message names the problem; `commandLine.ts` adds `; see --help`. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
