// The notice in place of a part of a view that could not be loaded.

import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Failure } from '../api/failure.ts';
import { problemOf } from '../api/problem.ts';
import { retainedIds } from '../model/facts.ts';
import { ProblemNotice } from './problemNotice.tsx';
import type { WorkspaceProps } from './props.ts';

export interface FailureNoticeProps extends WorkspaceProps {
  readonly failure: Failure;
  readonly retry: () => void;
  readonly snapshot: string;
}

/** The notice of the failure. Its button repeats only the request that failed. */
export function FailureNotice({
  failure,
  retry,
  snapshot,
  question,
  store,
  go,
  openState,
}: FailureNoticeProps): VNode {
  const problem = useMemo(() => problemOf(failure, Date.now(), snapshot), [failure, snapshot]);
  // If the API no longer knows a snapshot that the page lists, the list is loaded again.
  useEffect(() => {
    if (problem.kind === 'unknown snapshot') store.reloadFacts();
  }, [problem]);
  const snapshots = retainedIds(openState.facts);
  return (
    <ProblemNotice
      problem={problem}
      question={question}
      retry={retry}
      go={go}
      snapshots={snapshots}
      hasOldAnswer={false}
    />
  );
}
