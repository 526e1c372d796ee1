// Closes what a command opens, after it has waited for the work that uses it.

/** Ends what was opened and begun in it, the last one first. Node.js 20 has nothing like it. */
export class Scope {
  readonly #endings: (() => unknown)[] = [];

  /** Calls `close` when the scope ends. */
  defer(close: () => unknown): void {
    this.#endings.push(close);
  }

  /** Closes what the promise gives when the scope ends. Returns the promise. */
  own<Resource extends { close(): unknown }>(opening: Promise<Resource>): Promise<Resource> {
    this.defer(async () => (await opening.catch(() => null))?.close());
    return handled(opening);
  }

  /** Waits until the work has ended when the scope ends. Returns the promise. */
  begin<Result>(work: Promise<Result>): Promise<Result> {
    this.defer(() => work.catch(() => {}));
    return handled(work);
  }

  /**
   * Ends all, also what running work still opens and begins.
   *
   * @throws the first error of a close, after everything else is closed.
   */
  async end(): Promise<void> {
    const errors: unknown[] = [];
    for (let ending = this.#endings.pop(); ending !== undefined; ending = this.#endings.pop())
      try {
        await ending();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }
}

/**
 * The promise, which may be rejected before anybody awaits it, or be awaited by nobody. A rejection without a handler would
 * end the process.
 */
function handled<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}
