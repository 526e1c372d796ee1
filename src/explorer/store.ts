// Holds the state of the explorer. Only this file changes it.

import { answerOf, type Shown } from './api/answer.ts';
import { type Client, createClient, type Failure, type Limits } from './api/client.ts';
import { loadFacts } from './api/loadFacts.ts';
import { isFailure } from './api/selection.ts';
import { RETRY_MS, type Stopped, stoppedBy, type Trouble, troubleOf } from './api/trouble.ts';
import { createLatestTask, type LatestTask } from './latestTask.ts';
import { currentSnapshot, type Facts } from './model/facts.ts';
import type { Question } from './model/question.ts';

export type State =
  | { readonly kind: 'locked'; readonly why: 'no key' | 'refused' | 'forgotten' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'waiting'; readonly trouble: Trouble }
  | OpenState;

export interface OpenState {
  readonly kind: 'open';
  readonly client: Client;
  readonly facts: Facts;
  readonly question: Question;
  readonly work: Work;
  /**
   * The earlier current snapshot, if it is no longer retained and the question is now answered from another; or null.
   */
  readonly replaced: string | null;
}

/** What the page is doing, and the answer on the screen. The previous answer stays there until the next one arrives. */
export type Work =
  | { readonly kind: 'loading'; readonly shown: Shown | null }
  | { readonly kind: 'shown'; readonly shown: Shown }
  | { readonly kind: 'stopped'; readonly trouble: Trouble; readonly shown: Shown | null };

export interface Store {
  readonly state: () => State;
  /** Opens the page with a key from the form or from session storage. */
  useKey(key: string): void;
  forgetKey(): void;
  /** Asks another question after `PAUSE_MS`, so that quick changes need only one request. */
  ask(question: Question): void;
  /** Tries again at once to open the page or to answer its question. */
  retry(): void;
  /** Loads the list of snapshots again, because the API no longer knows a snapshot that the page lists. */
  renew(): void;
  readonly limits: () => Limits | null;
}

export interface StoreOptions {
  readonly root: string;
  readonly question: Question;
  readonly onChange: () => void;
  readonly nowMs: () => number;
  /** Is called with a key when the API has accepted it, and with null when the key is forgotten or refused. */
  readonly onKey: (key: string | null) => void;
}

/** Changes within this time are asked as one question. */
const PAUSE_MS = 250;

export function createStore({ root, question: first, onChange, nowMs, onKey }: StoreOptions): Store {
  let state: State = { kind: 'locked', why: 'no key' };
  let question = first;
  let limits: Limits | null = null;
  let usedKey: string | null = null;
  /** Opens the page with the last key. */
  let begin: (signal: AbortSignal) => Promise<void> = async () => {};
  /** The request that is running or planned. Its signal aborts when the state no longer waits for it. */
  const request = createLatestTask();
  const open = createOpenPage({ state: () => state, change, request, lock, nowMs });

  function change(next: State): void {
    state = next;
    onChange();
  }

  function useKey(key: string): void {
    // A late answer for an earlier key must not change anything.
    const onLimits = (now: Limits) => {
      if (key !== usedKey) return;
      limits = now;
      onChange();
    };
    const onKeyRefused = () => {
      if (key === usedKey) lock('refused');
    };
    usedKey = key;
    const client = createClient({ root, key, onLimits, onKeyRefused });
    begin = (signal) => start(key, client, signal);
    change({ kind: 'starting' });
    request.plan(0, begin);
  }

  async function start(key: string, client: Client, signal: AbortSignal): Promise<void> {
    const facts = await loadFacts(client, signal);
    if (signal.aborted) return;
    if (isFailure(facts)) return waitToStart(facts);
    onKey(key);
    change({ kind: 'open', client, facts, question, work: { kind: 'loading', shown: null }, replaced: null });
    request.plan(0, open.answer);
  }

  function waitToStart(failure: Failure): void {
    if (failure.kind === 'unauthorised') {
      lock('refused');
      return;
    }
    const trouble = troubleOf(failure, nowMs(), '');
    change({ kind: 'waiting', trouble });
    const waitMs = 'untilMs' in trouble ? trouble.untilMs - nowMs() : 10_000;
    request.plan(waitMs, begin);
  }

  function lock(why: 'refused' | 'forgotten'): void {
    request.cancel();
    limits = null;
    usedKey = null;
    onKey(null);
    change({ kind: 'locked', why });
  }

  function ask(next: Question): void {
    question = next;
    if (state.kind !== 'open') {
      onChange();
      return;
    }
    const { shown } = state.work;
    change({ ...state, question, work: { kind: 'loading', shown }, replaced: null });
    request.plan(PAUSE_MS, open.answer);
  }

  return {
    state: () => state,
    useKey,
    forgetKey: () => lock('forgotten'),
    ask,
    retry: () => request.plan(0, state.kind === 'open' ? open.answer : begin),
    renew: () => request.plan(0, (signal) => open.renewFacts(signal, null)),
    limits: () => limits,
  };
}

interface OpenPage {
  /** Answers the question of the open page. */
  answer(signal: AbortSignal): Promise<void>;
  /**
   * Loads the datasets and snapshots again, because the API does not know a snapshot that the page has named. If
   * another snapshot has become current, the question is answered from that one.
   */
  renewFacts(signal: AbortSignal, trouble: Trouble | null): Promise<void>;
}

interface OpenPageOptions {
  readonly state: () => State;
  readonly change: (next: State) => void;
  readonly request: LatestTask;
  readonly lock: (why: 'refused') => void;
  readonly nowMs: () => number;
}

/** Makes the functions of the open page. They do nothing when the page is no longer open. */
function createOpenPage({ state: current, change, request, lock, nowMs }: OpenPageOptions): OpenPage {
  async function answer(signal: AbortSignal): Promise<void> {
    const before = current();
    if (before.kind !== 'open' || before.question.page.kind !== 'explore') return;
    const { client, facts, question } = before;
    const found = await answerOf(question, facts, { ask: client.ask, signal, nowMs });
    const state = current();
    if (signal.aborted || state.kind !== 'open') return;
    if ('counted' in found) return change({ ...state, work: { kind: 'shown', shown: found } });
    if (found.kind === 'unknown snapshot') return renewFacts(signal, found);
    stop(found);
  }

  /** Shows the problem above the previous answer. Plans another attempt if that can help. */
  function stop(trouble: Stopped): void {
    const state = current();
    if (state.kind !== 'open' || trouble.kind === 'cancelled') return;
    if (trouble.kind === 'unauthorised') {
      lock('refused');
      return;
    }
    const { shown } = state.work;
    change({ ...state, work: { kind: 'stopped', trouble, shown } });
    if ('untilMs' in trouble) request.plan(trouble.untilMs - nowMs(), answer);
  }

  async function renewFacts(signal: AbortSignal, trouble: Trouble | null): Promise<void> {
    const asked = current();
    if (asked.kind !== 'open') return;
    const facts = await loadFacts(asked.client, signal);
    const state = current();
    if (signal.aborted || state.kind !== 'open') return;
    if (isFailure(facts)) return stop(stoppedBy(facts, nowMs(), ''));
    const { asOf } = state.question;
    const before = currentSnapshot(state.facts);
    const isReplaced = currentSnapshot(facts) !== before;
    // A view and the page may both notice the change. The notice of the first one stays.
    const replaced = isReplaced && asOf === '' ? before : state.replaced;
    change({ ...state, facts, replaced });
    if (trouble !== null && asOf !== '') stop(trouble);
    else request.plan(trouble === null || isReplaced ? 0 : RETRY_MS, answer);
  }

  return { answer, renewFacts };
}
