// The properties that the parts of the page share: the question, its answer, and `go` for the next question.

import type { ShownAnswer } from '../api/answerQuestion.ts';
import type { Limits } from '../api/requestsLeft.ts';
import type { DatasetFacts } from '../api/responseTypes.ts';
import type { Question } from '../model/question.ts';
import type { OpenState, State, Store } from '../stateStore.ts';

/** Asks another question. By default it gets its own entry in the browser's history; `replace` replaces the last entry. */
export type Go = (question: Question, entry?: 'push' | 'replace') => void;

export interface AppProps {
  readonly state: State;
  readonly limits: Limits | null;
  readonly question: Question;
  /** Parameters in the page's address that the page does not know. */
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
  /** Undefined when the address names an unknown dataset. */
  readonly dataset: DatasetFacts | undefined;
}

/** The properties of every view. */
export interface ViewProps extends AnswerProps {
  readonly shown: ShownAnswer;
}
