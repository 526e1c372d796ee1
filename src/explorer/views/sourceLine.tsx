// The source of the data, for lines below charts and tables, for tips and for pictures.

import type { VNode } from 'preact';
import type { Selection } from '../model/selection.ts';
import { NOTES } from '../texts/chartTexts.ts';
import type { ViewProps } from './props.ts';

/** The source below a chart, and after it the legend of forecasts and missing values. */
export function SourceLine(props: ViewProps & { legend: string }): VNode {
  return (
    <p class="source">
      {sourceLine(props)} {props.legend}
    </p>
  );
}

/** The source below a table, only for print, because the screen shows it elsewhere. */
export function SourceOnPaper(props: ViewProps): VNode {
  return <p class="source paper-only">{sourceLine(props)}</p>;
}

function sourceLine({ answer, openState }: ViewProps): string {
  const published = openState.facts.snapshots.find(({ id }) => id === answer.snapshot)?.published_at;
  return NOTES.source(sourceText(answer.selection, answer.snapshot), published?.slice(0, 10) ?? null);
}

/** The service, dataset, currency and snapshot, for lines of sources and for tips. */
export const sourceText = ({ dataset, filters }: Selection, snapshot: string): string => {
  const [currency = null, ...others] = filters.fx ?? [];
  return NOTES.data(dataset.name, others.length === 0 ? currency : null, snapshot);
};
