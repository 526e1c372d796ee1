// Holds the state of the explorer. Only this file changes it.

import { type Answer, answerQuestion } from './api/answerQuestion.ts';
import { type Client, createClient } from './api/client.ts';
import { type Failure, isFailure } from './api/failure.ts';
import { loadFacts } from './api/loadFacts.ts';
import { type Problem, problemOf, RETRY_MS } from './api/problem.ts';
import type { RequestsLeft } from './api/requestsLeft.ts';
import { createLatestTask } from './latestTask.ts';
import { currentSnapshot, type Facts } from './model/facts.ts';
import type { Question } from './model/question.ts';

export type State =
  | { readonly kind: 'locked'; readonly why: 'no key' | 'refused' | 'forgotten' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'waiting'; readonly problem: Problem }
  | OpenState;

export interface OpenState {
  readonly kind: 'open';
  readonly client: Client;
  readonly facts: Facts;
  readonly progress: Progress;
  /**
   * The id of the snapshot that was current before, if the question is now answered from the new current one; otherwise
   * null.
   */
  readonly replacedSnapshot: string | null;
}

/** The progress with the question, and the answer on the screen. An answer stays there until the next one arrives. */
export type Progress =
  | { readonly kind: 'loading'; readonly answer: Answer | null }
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'stopped'; readonly problem: Problem; readonly answer: Answer | null };

export interface StoreOptions {
  readonly root: string;
  readonly question: Question;
  readonly onChange: () => void;
  /** Is called with a key when the API has accepted it, and with null when the key is forgotten or refused. */
  readonly onKey: (key: string | null) => void;
}

/** Changes of the question within this time are sent to the API as one question. */
const QUESTION_PAUSE_MS = 250;
/** The wait before another attempt to open the page, when the API names no time for it. */
const RESTART_MS = 10_000;
/** How long the list of snapshots counts as up to date. Loading it takes two requests of the key. */
const MAX_FACTS_AGE_MS = 300_000;

/** The state of the page, without a key at first. */
export class StateStore {
  readonly #options: StoreOptions;
  /** The request that is running or planned. Its signal aborts when another one is planned, or the key is removed. */
  readonly #request = createLatestTask();
  #state: State = { kind: 'locked', why: 'no key' };
  #question: Question;
  #requestsLeft: RequestsLeft | null = null;
  #key: string | null = null;
  /** When the list of snapshots was loaded. */
  #factsMs = 0;
  /** Opens the page with the last key. */
  #start: (signal: AbortSignal) => Promise<void> = async () => {};

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#question = options.question;
  }

  get state(): State {
    return this.#state;
  }

  /** The question that the page asks, in the form of its address. */
  get question(): Question {
    return this.#question;
  }

  get requestsLeft(): RequestsLeft | null {
    return this.#requestsLeft;
  }

  /** Opens the page with a key from the form or from session storage. */
  readonly useKey = (key: string): void => {
    // A late answer for an earlier key must not change anything.
    const onRequestsLeft = (requestsLeft: RequestsLeft) => {
      if (key !== this.#key) return;
      this.#requestsLeft = requestsLeft;
      this.#options.onChange();
    };
    const onKeyRefused = () => {
      if (key === this.#key) this.#lock('refused');
    };
    this.#key = key;
    const client = createClient({ root: this.#options.root, key, onRequestsLeft, onKeyRefused });
    this.#start = (signal) => this.#open(key, client, signal);
    this.#change({ kind: 'starting' });
    this.#request.plan(0, this.#start);
  };

  readonly forgetKey = (): void => this.#lock('forgotten');

  /** Asks another question after `QUESTION_PAUSE_MS`, so that quick changes need only one request. */
  ask(question: Question): void {
    this.#question = question;
    if (this.#state.kind !== 'open') {
      this.#options.onChange();
      return;
    }
    const { answer } = this.#state.progress;
    this.#change({ ...this.#state, progress: { kind: 'loading', answer }, replacedSnapshot: null });
    this.#request.plan(QUESTION_PAUSE_MS, this.#answer);
  }

  /** Tries again at once to open the page or to answer its question. */
  readonly retry = (): void =>
    this.#request.plan(0, this.#state.kind === 'open' ? this.#answer : this.#start);

  /** Loads the list of snapshots again, because the API no longer knows a snapshot that the page lists. */
  reloadFacts(): void {
    this.#request.plan(0, (signal) => this.#renewFacts(signal, 'view'));
  }

  /** Checks whether another snapshot has become current, unless the page has checked within `MAX_FACTS_AGE_MS`. */
  reloadFactsIfOld(): void {
    const state = this.#state;
    const isIdle =
      state.kind === 'open' && (state.progress.kind === 'answered' || this.#question.page.kind !== 'explore');
    if (isIdle && Date.now() - this.#factsMs > MAX_FACTS_AGE_MS)
      this.#request.plan(0, (signal) => this.#renewFacts(signal, 'age'));
  }

  #change(next: State): void {
    this.#state = next;
    this.#options.onChange();
  }

  #lock(why: 'refused' | 'forgotten'): void {
    this.#request.cancel();
    this.#requestsLeft = null;
    this.#key = null;
    this.#options.onKey(null);
    this.#change({ kind: 'locked', why });
  }

  async #open(key: string, client: Client, signal: AbortSignal): Promise<void> {
    const facts = await loadFacts(client, signal);
    if (signal.aborted) return;
    if (isFailure(facts)) return this.#waitToStart(facts);
    this.#factsMs = Date.now();
    this.#options.onKey(key);
    const progress: Progress = { kind: 'loading', answer: null };
    this.#change({ kind: 'open', client, facts, progress, replacedSnapshot: null });
    this.#request.plan(0, this.#answer);
  }

  #waitToStart(failure: Failure): void {
    const problem = problemOf(failure, Date.now(), '');
    this.#change({ kind: 'waiting', problem });
    const waitMs = 'untilMs' in problem ? problem.untilMs - Date.now() : RESTART_MS;
    this.#request.plan(waitMs, this.#start);
  }

  /** Answers the question of the open page. */
  readonly #answer = async (signal: AbortSignal): Promise<void> => {
    const atStart = this.#state;
    if (atStart.kind !== 'open' || this.#question.page.kind !== 'explore') return;
    const { client, facts } = atStart;
    const found = await answerQuestion(this.#question, facts, { ask: client.ask, signal });
    const state = this.#state;
    if (signal.aborted || state.kind !== 'open') return;
    if ('selection' in found) {
      this.#change({ ...state, progress: { kind: 'answered', answer: found } });
      return this.reloadFactsIfOld();
    }
    if (found.kind === 'unknown snapshot') return this.#renewFacts(signal, found);
    this.#stop(found);
  };

  /** Shows the problem above the previous answer. Plans another attempt if that can help. */
  #stop(problem: Problem): void {
    const state = this.#state;
    if (state.kind !== 'open') return;
    const { answer } = state.progress;
    this.#change({ ...state, progress: { kind: 'stopped', problem, answer } });
    if ('untilMs' in problem) this.#request.plan(problem.untilMs - Date.now(), this.#answer);
  }

  /**
   * Loads the datasets and snapshots again, and then answers the question again. A question that names an unknown
   * snapshot is not answered again: the page shows the problem. If the list was only old, the question is answered again
   * only if it names no snapshot and another snapshot has become current.
   */
  async #renewFacts(signal: AbortSignal, cause: RenewalCause): Promise<void> {
    const atStart = this.#state;
    if (atStart.kind !== 'open') return;
    const facts = await loadFacts(atStart.client, signal);
    const state = this.#state;
    if (signal.aborted || state.kind !== 'open') return;
    if (isFailure(facts)) return cause === 'age' ? undefined : this.#stop(problemOf(facts, Date.now(), ''));
    this.#factsMs = Date.now();
    const { asOf } = this.#question;
    const before = currentSnapshot(state.facts);
    const isReplaced = currentSnapshot(facts) !== before;
    const isForQuestion = isReplaced && asOf === '';
    // A view and the page may both find the new snapshot. The second must not remove the notice of the first.
    const replacedSnapshot = isForQuestion ? before : state.replacedSnapshot;
    this.#change({ ...state, facts, replacedSnapshot });
    if (cause === 'age' && !isForQuestion) return;
    if (typeof cause === 'object' && asOf !== '') this.#stop(cause);
    else this.#request.plan(cause === 'view' || isReplaced ? 0 : RETRY_MS, this.#answer);
  }
}

/**
 * Why the list of snapshots is loaded again: the API does not know the snapshot of the question (a problem), a view found
 * that a snapshot is gone, or the list is old.
 */
type RenewalCause = Problem | 'view' | 'age';
