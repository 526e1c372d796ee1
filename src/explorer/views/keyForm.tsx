// The form for the key, with a hint on how to get one.

import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { KEY_FORM } from '../texts/pageTexts.ts';

export interface KeyFormProps {
  readonly why: 'no key' | 'refused' | 'forgotten';
  readonly onKey: (key: string) => void;
}

/** The form. `why` says whether a key was refused or forgotten before. */
export function KeyForm({ why, onKey }: KeyFormProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  const [isEmpty, setEmpty] = useState(false);
  // While a key is tried, the page does not have this form, so its field loses the focus. If the key is refused, the
  // field gets the focus again.
  useLayoutEffect(() => {
    if (why !== 'no key') input.current?.focus();
  }, [why]);
  const submit = (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    setEmpty(key === '');
    if (key === '') {
      input.current?.focus();
      return;
    }
    // The form goes away, and the focus would go with it.
    document.getElementById('main')?.focus({ preventScroll: true });
    onKey(key);
  };
  const problem = isEmpty ? KEY_FORM.empty : why === 'refused' ? KEY_FORM.refused : null;
  return (
    <section class="welcome">
      <h1>{KEY_FORM.title}</h1>
      <p class="lead">{KEY_FORM.lead}</p>
      <form onSubmit={submit} novalidate>
        <label for="key">{KEY_FORM.label}</label>
        <div class="row">
          <input
            id="key"
            ref={input}
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            aria-describedby={problem === null ? 'key-hint' : 'key-problem key-hint'}
            aria-invalid={problem !== null}
          />
          <button type="submit" class="button">
            {KEY_FORM.button}
          </button>
        </div>
        {problem !== null && (
          <p class="problem" id="key-problem" role="alert">
            {problem}
          </p>
        )}
        <p class="quiet" id="key-hint">
          {KEY_FORM.hint}
        </p>
      </form>
      {why === 'forgotten' && <p role="status">{KEY_FORM.forgotten}</p>}
      <p class="quiet">{KEY_FORM.where}</p>
    </section>
  );
}
