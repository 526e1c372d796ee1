// A hook that asks the API one question for a view, and asks again when the question changes.

import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../api/client.ts';
import { isFailure } from '../api/selection.ts';

export type Asked<Value> =
  | { readonly kind: 'asking' }
  | { readonly kind: 'there'; readonly value: Value }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** `id` identifies the question. The same id is not asked twice. */
export function useReply<Value extends object>(
  id: string,
  ask: (signal: AbortSignal) => Promise<Value | Failure>,
): Asked<Value> & { readonly again: () => void } {
  const [tries, setTries] = useState(0);
  const [state, setState] = useState<{ id: string; asked: Asked<Value> }>({ id, asked: { kind: 'asking' } });
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState({ id, asked: { kind: 'asking' } });
    void ask(controller.signal).then((value) => {
      if (controller.signal.aborted) return;
      if (!isFailure(value)) return setState({ id, asked: { kind: 'there', value } });
      setState({ id, asked: { kind: 'failed', failure: value } });
      if ('waitSeconds' in value) timer = setTimeout(() => setTries(tries + 1), value.waitSeconds * 1000);
    });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [id, tries]);
  const again = () => setTries(tries + 1);
  // Until the effect has run, the state still belongs to the previous id.
  return { ...(state.id === id ? state.asked : { kind: 'asking' as const }), again };
}
