// What the parts of the page are given: the question, its answer, and the way to ask another one.

import type { Limits } from '../api/client.ts';
import type { DatasetFacts } from '../api/shapes.ts';
import type { Question } from '../model/question.ts';
import type { OpenState, Shown, State, Store } from '../store.ts';

/** Asks another question. Steps can be gone back to; small changes of one control replace each other. */
export type Go = (question: Question, isStep?: boolean) => void;

export interface AppProps {
  readonly state: State;
  readonly limits: Limits | null;
  readonly question: Question;
  /** What the address says and no question can hold. */
  readonly ignored: readonly string[];
  readonly store: Store;
  readonly go: Go;
  /** The service's address, with a slash at the end. */
  readonly root: string;
}

export interface WorkspaceProps extends AppProps {
  readonly open: OpenState;
}

export interface AnswerProps extends WorkspaceProps {
  /** Undefined when the address names an unknown one. */
  readonly dataset: DatasetFacts | undefined;
}

/** What every view is made of. */
export interface ViewProps extends AnswerProps {
  readonly shown: Shown;
}
