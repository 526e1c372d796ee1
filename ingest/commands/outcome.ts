// What a command of `npm run ingest` gives back: an exit code, a document for programs, text for people.

/** The exit codes people's scripts rely on. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  usage: 2,
  unreadable: 3,
  wrong: 4,
  refused: 5,
  locked: 6,
} as const;

export interface Outcome {
  readonly exitCode: number;
  readonly json: unknown;
  readonly text: string;
  /** The command could not do its work at all: its text goes to stderr. */
  readonly failed?: true;
}
