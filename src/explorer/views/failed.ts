// Why a part of a view is not there, with what to do.

import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Failure } from '../api/client.ts';
import { html } from '../html.ts';
import type { Question } from '../model/question.ts';
import { type Store, troubleOf } from '../store.ts';
import { TroubleNotice } from './notices.ts';
import type { Go } from './props.ts';

interface FailedProps {
  readonly failure: Failure;
  readonly again: () => void;
  readonly snapshot: string;
  readonly question: Question;
  readonly store: Store;
  readonly go: Go;
}

export function Failed({ failure, again, snapshot, question, store, go }: FailedProps): VNode {
  const trouble = useMemo(() => troubleOf(failure, Date.now(), snapshot), [failure, snapshot]);
  const retrying: Store = { ...store, retry: again };
  return html`<${TroubleNotice} ...${{ trouble, question, store: retrying, go }} />`;
}
