// Delays work until its result is first needed, and does it once.

/** A function that calls `act` at its first call, and returns the same result at each call. */
export function once<Result>(act: () => Result): () => Result {
  let done: { readonly result: Result } | undefined;
  return () => {
    done ??= { result: act() };
    return done.result;
  };
}
