// The notice for a snapshot that is no longer retained, with the retained ones to choose from.

import type { VNode } from 'preact';
import { html } from '../html.ts';
import { SNAPSHOT_GONE } from '../texts.ts';

export interface SnapshotGoneProps {
  readonly name: string;
  /** Retained snapshots to choose from, newest first. */
  readonly choices: readonly string[];
  /** The label of the first choice; the others are labelled by their id. */
  readonly first: string;
  readonly onChoose: (id: string) => void;
  /** The last answer of the snapshot is still shown below. */
  readonly hasOldAnswer: boolean;
}

/** How many snapshots have a button. The others are under “As of”. */
const MAX_CHOICES = 4;

export function SnapshotGone({ name, choices, first, onChoose, hasOldAnswer }: SnapshotGoneProps): VNode {
  return html`<div class="notice warning" role="alert">
    <h2><bdi>${name}</bdi> ${SNAPSHOT_GONE.title}</h2>
    <p>${SNAPSHOT_GONE.said} ${hasOldAnswer && SNAPSHOT_GONE.below}</p>
    <p class="buttons">${choices
      .slice(0, MAX_CHOICES)
      .map(
        (id, i) =>
          html`<button type="button" class=${i === 0 ? 'button' : 'button plain'} onClick=${() => onChoose(id)}>${i === 0 ? first : SNAPSHOT_GONE.use(id)}</button>`,
      )}</p>
  </div>`;
}
