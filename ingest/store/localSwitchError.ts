// The error when this machine cannot switch to a snapshot although the store that several publishers share has switched.

/** The store has switched to a snapshot, but this machine could not switch as well. */
export class LocalSwitchError extends Error {
  /**
   * The command that switches this machine as well. It names the id, because `rollback` without an id would go back once
   * more.
   */
  readonly remedy: string;
  readonly code: string | undefined;

  constructor(id: string, done: string, cause: NodeJS.ErrnoException) {
    super(`${id} is ${done} in the store, and this machine could not take it up (${cause.message})`, {
      cause,
    });
    this.remedy = `\`ingest rollback ${id}\` takes it up here`;
    this.code = cause.code;
  }
}

/** Replaces the error of a switch on this machine by a {@link LocalSwitchError}, because the store has switched already. */
export const throwLocalSwitchError =
  (id: string, done: string) =>
  (error: NodeJS.ErrnoException): never => {
    throw new LocalSwitchError(id, done, error);
  };
