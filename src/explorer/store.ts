// The explorer's state: one tagged object, changed here alone. Waits 250 ms before it asks, and cancels what it asked.

import { type ChartAnswer, chartAnswer } from './api/chartAnswer.ts';
import { type Client, createClient, type Failure, type Limits } from './api/client.ts';
import { type Context, type Counted, countedSelection, isFailure } from './api/selection.ts';
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
}

/** What stands on the screen, and what is being done about it. The answer before stays until the next is there. */
export type Work =
  | { readonly kind: 'asking'; readonly shown: Shown | null }
  | { readonly kind: 'shown'; readonly shown: Shown }
  | { readonly kind: 'stopped'; readonly trouble: Trouble; readonly shown: Shown | null };

export interface Shown {
  readonly counted: Counted;
  readonly snapshot: string;
  /** Null unless the view is the chart. */
  readonly chart: ChartAnswer | null;
  readonly mistakes: readonly Mistake[];
  readonly question: Question;
}

export type Trouble =
  /** Asked again by itself at that time, in epoch milliseconds. */
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
  /** Asks another question, after a pause in which further changes may come. */
  ask(question: Question): void;
  /** Asks at once what was asked before. */
  retry(): void;
  readonly limits: () => Limits | null;
}

export interface StoreOptions {
  readonly root: string;
  readonly question: Question;
  readonly onChange: () => void;
  readonly nowMs: () => number;
  /** The key was accepted, or is gone. */
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

  /** Runs after a pause; whatever was planned or is running before is cancelled. */
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
    const [datasets, snapshots] = await Promise.all([
      client.ask<{ datasets: readonly DatasetFacts[] }>('/v1/datasets', [], { signal }),
      client.ask<{ snapshots: readonly SnapshotFacts[] }>('/v1/snapshots', [], { signal }),
    ]);
    if (signal.aborted) return;
    for (const reply of [datasets, snapshots]) if (reply.kind !== 'ok') return failStart(reply, key);
    if (datasets.kind !== 'ok' || snapshots.kind !== 'ok') return;
    onKey(key);
    const facts = { datasets: datasets.body.datasets, snapshots: snapshots.body.snapshots };
    change({ kind: 'open', client, facts, question, work: { kind: 'asking', shown: null } });
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
    change({ ...state, question, work: { kind: 'asking', shown } });
    after(PAUSE_MS, answer);
  }

  async function answer(signal: AbortSignal): Promise<void> {
    if (state.kind !== 'open' || question.page.kind !== 'explore') return;
    const { client, facts } = state;
    const snapshot = question.asOf || currentSnapshot(facts);
    const found = await answerOf(question, facts, { ask: client.ask, snapshot, signal });
    if (signal.aborted || state.kind !== 'open') return;
    if (!('trouble' in found))
      return change({ ...state, work: { kind: 'shown', shown: { ...found, snapshot } } });
    const { trouble } = found;
    if (trouble === 'locked') return lock('refused');
    if (trouble === 'cancelled') return;
    const isPruned = trouble.kind === 'unknown snapshot' && question.asOf === '';
    if (isPruned) return replaceSnapshots(client, signal);
    change({ ...state, work: { kind: 'stopped', trouble, shown: shownOf(state.work) } });
    if ('untilMs' in trouble) after(trouble.untilMs - nowMs(), answer);
  }

  /** The current snapshot was replaced and is not retained: the newest one answers from now on. */
  async function replaceSnapshots(client: Client, signal: AbortSignal): Promise<void> {
    const reply = await client.ask<{ snapshots: readonly SnapshotFacts[] }>('/v1/snapshots', [], { signal });
    const datasets = await client.ask<{ datasets: readonly DatasetFacts[] }>('/v1/datasets', [], { signal });
    if (signal.aborted || state.kind !== 'open') return;
    if (reply.kind === 'ok' && datasets.kind === 'ok') {
      const facts = { datasets: datasets.body.datasets, snapshots: reply.body.snapshots };
      change({ ...state, facts });
    }
    after(reply.kind === 'ok' ? PAUSE_MS : RETRY_MS, answer);
  }

  return {
    state: () => state,
    useKey,
    forgetKey: () => lock('forgotten'),
    ask,
    retry: () => after(0, answer),
    limits: () => limits,
  };
}

const RETRY_MS = 5000;

export const currentSnapshot = ({ snapshots }: Facts): string =>
  snapshots.find(({ current }) => current)?.id ?? snapshots[0]?.id ?? '';

const shownOf = (work: Work): Shown | null => work.shown;

type Found = Omit<Shown, 'snapshot'> | { readonly trouble: Trouble | 'locked' | 'cancelled' };

async function answerOf(asked: Question, facts: Facts, context: Context): Promise<Found> {
  const failed = (failure: Failure): Found => {
    if (failure.kind === 'unauthorised') return { trouble: 'locked' };
    if (failure.kind === 'cancelled') return { trouble: 'cancelled' };
    return { trouble: troubleOf(failure, Date.now(), context.snapshot) };
  };
  const dataset = datasetNamed(facts, asked.dataset);
  if (dataset === undefined) {
    const known = facts.datasets.map(({ name }) => name);
    return { trouble: { kind: 'unknown dataset', name: asked.dataset, known } };
  }
  const { question, mistakes } = checked(asked, dataset);
  const counted = await countedSelection(question, dataset, context);
  if (isFailure(counted)) return failed(counted);
  const isChart = question.view === 'chart';
  const chart = isChart ? await chartAnswer(counted, context) : null;
  if (chart !== null && isFailure(chart)) return failed(chart);
  return { counted, chart, mistakes, question };
}

export function troubleOf(
  failure: Exclude<Failure, { kind: 'unauthorised' | 'cancelled' }> | Failure,
  nowMs: number,
  snapshot: string,
): Trouble {
  switch (failure.kind) {
    case 'limited':
    case 'away':
      return { kind: failure.kind, untilMs: nowMs + failure.waitSeconds * 1000 };
    case 'refused':
      if (failure.error.startsWith('Unknown snapshot')) return { kind: 'unknown snapshot', name: snapshot };
      if (Object.keys(failure.fields).length > 0) return { kind: 'unknown values', fields: failure.fields };
      return { kind: 'refused', error: failure.error };
    default:
      return { kind: 'away', untilMs: nowMs + RETRY_MS };
  }
}
