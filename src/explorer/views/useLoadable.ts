// A hook that asks the API a question for a view, and asks again when the question changes.

import { useEffect, useState } from 'preact/hooks';
import { type Failure, isFailure } from '../api/failure.ts';

export type Loadable<Value> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly value: Value }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Asks a question once for each `id`, which identifies the question. After a failure with `waitSeconds`, asks again
 * when they have passed.
 */
export function useLoadable<Value extends object>(
  id: string,
  ask: (signal: AbortSignal) => Promise<Value | Failure>,
): Loadable<Value> & { readonly retry: () => void } {
  const [attempts, setTries] = useState(0);
  const [state, setState] = useState<{ id: string; reply: Loadable<Value> }>({
    id,
    reply: { kind: 'loading' },
  });
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState({ id, reply: { kind: 'loading' } });
    void ask(controller.signal).then((value) => {
      if (controller.signal.aborted) return;
      if (!isFailure(value)) return setState({ id, reply: { kind: 'loaded', value } });
      setState({ id, reply: { kind: 'failed', failure: value } });
      if ('waitSeconds' in value) timer = setTimeout(() => setTries(attempts + 1), value.waitSeconds * 1000);
    });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id, attempts]);
  const retry = () => setTries(attempts + 1);
  // Before the effect has run, the state still belongs to the previous `id`.
  return { ...(state.id === id ? state.reply : { kind: 'loading' as const }), retry };
}
