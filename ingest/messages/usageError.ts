// The command line asks for what cannot be done.

/** The command line is at fault: exit code 2. */
export class UsageError extends Error {}
