// The notice for a snapshot that is not retained: pruned, or never there. It offers retained ones.

import type { VNode } from 'preact';
import { SNAPSHOT_GONE } from '../texts/pageTexts.ts';
import { Button } from './button.tsx';

export interface SnapshotGoneProps {
  readonly name: string;
  /** The ids of the snapshots that are offered, newest first. */
  readonly choices: readonly string[];
  /** The label of the first choice. The others are labelled with their ids. */
  readonly first: string;
  readonly onChoose: (id: string) => void;
  /** Whether the last answer from the snapshot is still shown below. */
  readonly hasOldAnswer: boolean;
}

/** How many snapshots have a button. All of them are in the menu “As of”. */
const MAX_CHOICES = 4;

/** The notice, with a button for each of the first choices. */
export function SnapshotGone({ name, choices, first, onChoose, hasOldAnswer }: SnapshotGoneProps): VNode {
  return (
    <div class="notice warning" role="alert">
      <h2>
        <bdi>{name}</bdi> {SNAPSHOT_GONE.title}
      </h2>
      <p>
        {SNAPSHOT_GONE.text} {hasOldAnswer && SNAPSHOT_GONE.below}
      </p>
      <p class="buttons">
        {choices.slice(0, MAX_CHOICES).map((id, i) => (
          <Button look={i === 0 ? 'filled' : 'plain'} onClick={() => onChoose(id)}>
            {i === 0 ? first : SNAPSHOT_GONE.use(id)}
          </Button>
        ))}
      </p>
    </div>
  );
}
