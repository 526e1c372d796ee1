// Closes what a command opens, after it has waited for the work that uses it.

/** Ends what was opened and begun in it, the last one first. Node.js 20 has no `AsyncDisposableStack`. */
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

  /** Work that is still running may open and begin more. That ends too. */
  async end(): Promise<void> {
    for (let ending = this.#endings.pop(); ending !== undefined; ending = this.#endings.pop()) await ending();
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
