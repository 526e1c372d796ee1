// Makes citations of a selection: a short one for a chart, and a full one for a list of sources.

import { datasetLabel } from '../labels.ts';
import { SERVICE } from '../texts/page.ts';
import { ABOUT } from '../texts/views.ts';
import type { Selection } from './resolve.ts';
import { titleOf } from './summary.ts';

export interface CitedAnswer {
  readonly selection: Selection;
  readonly snapshot: string;
  /** When the snapshot was published, in ISO 8601; null when it is not known. */
  readonly published: string | null;
  readonly address: string;
  readonly today: Date;
}

/** Both citations, with the labels of their buttons. */
export function citations({
  selection,
  snapshot,
  published,
  address,
  today,
}: CitedAnswer): { label: string; text: string }[] {
  const year = (published ?? snapshot).slice(0, 4);
  const short = `Source: ${SERVICE}, ${datasetLabel(selection.dataset.name)}, snapshot ${snapshot}.`;
  const date = published === null ? '' : ` Published ${published.slice(0, 10)}.`;
  const full =
    `${SERVICE} (${year}). ${titleOf(selection, Number.POSITIVE_INFINITY)}. Dataset “${selection.dataset.name}”, snapshot ${snapshot}.${date} ` +
    `${address}, retrieved ${today.toISOString().slice(0, 10)}.`;
  return [
    { label: ABOUT.citeShort, text: short },
    { label: ABOUT.citeFull, text: full },
  ];
}
