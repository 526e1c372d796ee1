// The properties that the parts of the page share: the question, its answer, and `go` for the next question.

import type { Answer } from '../api/answerQuestion.ts';
import type { RequestsLeft } from '../api/requestsLeft.ts';
import type { DatasetFacts } from '../api/responseTypes.ts';
import type { EntityKind, Question } from '../model/question.ts';
import type { OpenState, State, StateStore } from '../stateStore.ts';

/** Asks another question. By default it gets its own entry in the browser's history; `replace` replaces the last entry. */
export type Go = (question: Question, entry?: 'push' | 'replace') => void;

export interface PageProps {
  readonly state: State;
  readonly requestsLeft: RequestsLeft | null;
  readonly question: Question;
  /** Parameters in the page's address that the page does not know. */
  readonly ignored: readonly string[];
  readonly store: StateStore;
  readonly go: Go;
  /** The service's address, with a slash at the end. */
  readonly root: string;
}

export interface WorkspaceProps extends PageProps {
  readonly openState: OpenState;
}

export interface EntityProps extends WorkspaceProps {
  readonly kind: EntityKind;
  readonly name: string;
}

export interface AnswerProps extends WorkspaceProps {
  /** Undefined when the address names an unknown dataset. */
  readonly dataset: DatasetFacts | undefined;
}

/** The properties of every view. */
export interface ViewProps extends AnswerProps {
  readonly answer: Answer;
}
