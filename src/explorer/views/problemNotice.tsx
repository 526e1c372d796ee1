// The notice that says why there is no answer, and what to do.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';
import { datasetLabel } from '../labels.ts';
import type { Question } from '../model/question.ts';
import { AWAY, NOTICES, SNAPSHOT_GONE } from '../texts/pageTexts.ts';
import { Button } from './button.tsx';
import type { Go } from './props.ts';
import { SnapshotGone } from './snapshotGone.tsx';
import { UnknownValues } from './unknownValues.tsx';

interface NoticeProps {
  readonly problem: Problem;
  readonly question: Question;
  /** Asks again at once. */
  readonly retry: () => void;
  readonly go: Go;
  /** The ids of the retained snapshots. The current one is first. */
  readonly snapshots: readonly string[];
  /** Whether the previous answer is shown below. */
  readonly hasOldAnswer: boolean;
}

/** The notice for each kind of problem, with what a person can do about it. */
export function ProblemNotice({ problem, question, retry, go, snapshots, hasOldAnswer }: NoticeProps): VNode {
  switch (problem.kind) {
    case 'limited':
    case 'away':
      return (
        <div class="notice warning" role="alert">
          <h2>{AWAY[problem.kind].title}</h2>
          <p>
            {AWAY[problem.kind].text} <Countdown untilMs={problem.untilMs} />
          </p>
          {hasOldAnswer && <p>{AWAY.below}</p>}
          <Button look="plain" onClick={retry}>
            {NOTICES.askNow}
          </Button>
        </div>
      );
    case 'unknown snapshot': {
      const others = snapshots.filter((id) => id !== problem.name);
      return (
        <SnapshotGone
          name={problem.name}
          choices={others}
          first={SNAPSHOT_GONE.useCurrent}
          hasOldAnswer={hasOldAnswer}
          onChoose={(id) => go({ ...question, asOf: id === others[0] ? '' : id })}
        />
      );
    }
    case 'unknown dataset':
      return (
        <div class="notice warning" role="alert">
          <h2>
            {NOTICES.noDataset} <bdi>“{problem.name}”</bdi>
          </h2>
          <p>{NOTICES.chooseOne}</p>
          <p class="buttons">
            {problem.known.map((name) => (
              <Button look="plain" onClick={() => go({ ...question, dataset: name })}>
                {datasetLabel(name)}
              </Button>
            ))}
          </p>
        </div>
      );
    case 'unknown values':
      return <UnknownValues fields={problem.fields} question={question} go={go} />;
    case 'refused':
      return (
        <div class="notice warning" role="alert">
          <h2>{NOTICES.refused}</h2>
          <p>
            <bdi>{problem.error}</bdi>
          </p>
        </div>
      );
  }
}

/** Counts down the seconds. Screen readers read it only once, not every second. */
function Countdown({ untilMs }: { readonly untilMs: number }): VNode {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [untilMs]);
  const seconds = Math.max(0, Math.ceil((untilMs - now) / 1000));
  return (
    <span class="countdown" aria-live="off">
      {seconds === 0 ? NOTICES.now : NOTICES.inSeconds(seconds)}
    </span>
  );
}
