// The error of a command that was asked for what cannot be done: exit code 2.

/** The message says what is wrong; the command line adds where to find help. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
