// The type of a help topic: what went wrong in a request, and what to do.

export interface HelpText {
  readonly status: 400 | 401 | 404 | 429;
  readonly title: string;
  /** Sentences; text between backticks is code. */
  readonly cause: string;
  readonly remedy: string;
  /** A request that works, or a part of one. */
  readonly example?: string;
}
