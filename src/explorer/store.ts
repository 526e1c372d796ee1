// The explorer's state: one tagged object that only this file changes. Waits 250 ms before a request and cancels the one before.

import { type ChartAnswer, chartAnswer } from './api/chartAnswer.ts';
import { type Ask, type Client, createClient, type Failure, type Limits } from './api/client.ts';
import { type Context, type Counted, countedSelection, isFailure, snapshotId } from './api/selection.ts';
import type { DatasetFacts, SnapshotFacts } from './api/shapes.ts';
import { datasetNamed, type Facts } from './model/facts.ts';
import type { Question } from './model/question.ts';
import { checked, type Mistake } from './model/resolve.ts';

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
  /** The snapshot that was current before and is no longer retained; null once the next question is asked. */
  readonly replaced: string | null;
}

/** What is on the screen, and what the page is doing about it. The previous answer stays until the next one arrives. */
export type Work =
  | { readonly kind: 'asking'; readonly shown: Shown | null }
  | { readonly kind: 'shown'; readonly shown: Shown }
  | { readonly kind: 'stopped'; readonly trouble: Trouble; readonly shown: Shown | null };

export interface Shown {
  readonly counted: Counted;
  readonly snapshot: string;
  /** Null in every other view. */
  readonly chart: ChartAnswer | null;
  readonly mistakes: readonly Mistake[];
  readonly question: Question;
}

export type Trouble =
  /** `untilMs`: when the page asks again, in epoch milliseconds. */
  | { readonly kind: 'limited' | 'away'; readonly untilMs: number }
  | { readonly kind: 'unknown snapshot'; readonly name: string }
  | { readonly kind: 'unknown dataset'; readonly name: string; readonly known: readonly string[] }
  | { readonly kind: 'unknown values'; readonly fields: Readonly<Record<string, readonly string[]>> }
  | { readonly kind: 'refused'; readonly error: string };

export interface Store {
  readonly state: () => State;
  /** Takes a key, from the form or from session storage. */
  useKey(key: string): void;
  forgetKey(): void;
  /** Asks another question after a pause, so that quick changes cost one request. */
  ask(question: Question): void;
  /** Asks the same question again at once. */
  retry(): void;
  /** Loads the list of snapshots again: a view was refused a snapshot that the page still lists. */
  renew(): void;
  readonly limits: () => Limits | null;
}

export interface StoreOptions {
  readonly root: string;
  readonly question: Question;
  readonly onChange: () => void;
  readonly nowMs: () => number;
  /** Called with a key that the API accepted, and with null when the key is forgotten or refused. */
  readonly onKey: (key: string | null) => void;
}

export const PAUSE_MS = 250;

export function createStore({ root, question: first, onChange, nowMs, onKey }: StoreOptions): Store {
  let state: State = { kind: 'locked', why: 'no key' };
  let question = first;
  let client: Client | null = null;
  let limits: Limits | null = null;
  let running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const change = (next: State) => {
    state = next;
    onChange();
  };

  function useKey(key: string): void {
    const onLimits = (now: Limits) => {
      limits = now;
      onChange();
    };
    client = createClient({ root, key, onLimits });
    change({ kind: 'starting' });
    after(0, () => start(key));
  }

  /** Runs after a pause. Cancels what was planned or is running. */
  function after(pauseMs: number, run: (signal: AbortSignal) => Promise<void>): void {
    clearTimeout(timer);
    running.abort();
    const controller = new AbortController();
    running = controller;
    timer = setTimeout(() => void run(controller.signal), pauseMs);
  }

  async function start(key: string): Promise<void> {
    if (client === null) return;
    const { signal } = running;
    const facts = await factsOf(client, signal);
    if (signal.aborted) return;
    if (isFailure(facts)) return failStart(facts, key);
    onKey(key);
    change({ kind: 'open', client, facts, question, work: { kind: 'asking', shown: null }, replaced: null });
    after(0, answer);
  }

  function failStart(failure: Failure, key: string): void {
    if (failure.kind === 'unauthorised') {
      lock('refused');
      return;
    }
    const trouble = troubleOf(failure, nowMs(), '');
    change({ kind: 'waiting', trouble });
    const waitMs = 'untilMs' in trouble ? trouble.untilMs - nowMs() : 10_000;
    after(waitMs, () => start(key));
  }

  function lock(why: 'refused' | 'forgotten'): void {
    clearTimeout(timer);
    running.abort();
    client = null;
    limits = null;
    onKey(null);
    change({ kind: 'locked', why });
  }

  function ask(next: Question): void {
    question = next;
    if (state.kind !== 'open') {
      onChange();
      return;
    }
    const shown = shownOf(state.work);
    change({ ...state, question, work: { kind: 'asking', shown }, replaced: null });
    after(PAUSE_MS, answer);
  }

  async function answer(signal: AbortSignal): Promise<void> {
    if (state.kind !== 'open' || question.page.kind !== 'explore') return;
    const { client, facts } = state;
    const found = await answerOf(question, facts, client.ask, signal, nowMs);
    if (signal.aborted || state.kind !== 'open') return;
    if ('counted' in found) return change({ ...state, work: { kind: 'shown', shown: found } });
    if (found.kind === 'unknown snapshot') return renewFacts(signal, found);
    stop(found);
  }

  /** Shows what went wrong over the previous answer, and plans the next try where trying again can help. */
  function stop(trouble: Stopped): void {
    if (state.kind !== 'open' || trouble.kind === 'cancelled') return;
    if (trouble.kind === 'unauthorised') {
      lock('refused');
      return;
    }
    change({ ...state, work: { kind: 'stopped', trouble, shown: shownOf(state.work) } });
    if ('untilMs' in trouble) after(trouble.untilMs - nowMs(), answer);
  }

  /**
   * Loads datasets and snapshots again, because the API does not know a snapshot that the page named. When the current
   * snapshot was replaced meanwhile, the question is answered from the new one.
   */
  async function renewFacts(signal: AbortSignal, trouble: Trouble | null): Promise<void> {
    if (state.kind !== 'open') return;
    const facts = await factsOf(state.client, signal);
    if (signal.aborted || state.kind !== 'open') return;
    if (isFailure(facts)) return stop(stoppedBy(facts, nowMs(), ''));
    const before = currentSnapshot(state.facts);
    const isReplaced = currentSnapshot(facts) !== before;
    // A view and the page may both learn of it: what the first one says stays.
    const replaced = isReplaced && question.asOf === '' ? before : state.replaced;
    change({ ...state, facts, replaced });
    if (trouble !== null && question.asOf !== '') stop(trouble);
    else after(trouble === null || isReplaced ? 0 : RETRY_MS, answer);
  }

  return {
    state: () => state,
    useKey,
    forgetKey: () => lock('forgotten'),
    ask,
    retry: () => after(0, answer),
    renew: () => after(0, (signal) => renewFacts(signal, null)),
    limits: () => limits,
  };
}

const RETRY_MS = 5000;

export const currentSnapshot = ({ snapshots }: Facts): string =>
  snapshots.find(({ current }) => current)?.id ?? snapshots[0]?.id ?? '';

/** The retained snapshots, the current one first. */
export const retainedIds = (facts: Facts): string[] => {
  const current = currentSnapshot(facts);
  return [current, ...facts.snapshots.map(({ id }) => id).filter((id) => id !== current)];
};

const shownOf = (work: Work): Shown | null => work.shown;

/** Why there is no answer. */
type Stopped = Trouble | Extract<Failure, { kind: 'unauthorised' | 'cancelled' }>;

const stoppedBy = (failure: Failure, nowMs: number, snapshot: string): Stopped =>
  failure.kind === 'unauthorised' || failure.kind === 'cancelled'
    ? failure
    : troubleOf(failure, nowMs, snapshot);

/** The browser may have cached both lists for an hour, in which snapshots come and go. */
async function factsOf({ ask }: Client, signal: AbortSignal): Promise<Facts | Failure> {
  const options = { signal, isFresh: true };
  const [datasets, snapshots] = await Promise.all([
    ask<{ datasets: readonly DatasetFacts[] }>('/v1/datasets', [], options),
    ask<{ snapshots: readonly SnapshotFacts[] }>('/v1/snapshots', [], options),
  ]);
  if (datasets.kind !== 'ok') return datasets;
  if (snapshots.kind !== 'ok') return snapshots;
  return { datasets: datasets.body.datasets, snapshots: snapshots.body.snapshots };
}

async function answerOf(
  asked: Question,
  facts: Facts,
  ask: Ask,
  signal: AbortSignal,
  nowMs: () => number,
): Promise<Shown | Stopped> {
  const dataset = datasetNamed(facts, asked.dataset);
  if (dataset === undefined) {
    const known = facts.datasets.map(({ name }) => name);
    return { kind: 'unknown dataset', name: asked.dataset, known };
  }
  const named = asked.asOf || currentSnapshot(facts);
  const failed = (failure: Failure) => stoppedBy(failure, nowMs(), named);
  const pinned = await snapshotId(named, dataset.name, facts, { ask, signal });
  if (isFailure(pinned)) return failed(pinned);
  const { snapshot } = pinned;
  const context: Context = { ask, snapshot, signal };
  const { question, mistakes } = checked(asked, dataset);
  const counted = await countedSelection(question, dataset, context);
  if (isFailure(counted)) return failed(counted);
  const isChart = question.view === 'chart';
  const chart = isChart ? await chartAnswer(counted, context) : null;
  if (chart !== null && isFailure(chart)) return failed(chart);
  return { counted, chart, mistakes, question, snapshot };
}

/** A failure as the person meets it: what happened, and when the page asks again. */
export function troubleOf(failure: Failure, nowMs: number, snapshot: string): Trouble {
  switch (failure.kind) {
    case 'limited':
    case 'away':
      return { kind: failure.kind, untilMs: nowMs + failure.waitSeconds * 1000 };
    case 'refused':
      if (failure.topic === 'unknown-snapshot') return { kind: 'unknown snapshot', name: snapshot };
      if (Object.keys(failure.fields).length > 0) return { kind: 'unknown values', fields: failure.fields };
      return { kind: 'refused', error: failure.error };
    default:
      return { kind: 'away', untilMs: nowMs + RETRY_MS };
  }
}
