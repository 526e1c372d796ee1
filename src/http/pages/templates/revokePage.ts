// The page that lists several keys, which the person has to confirm before they are revoked.

import type { KeyInfo } from '../../../access/keys/keyRecords.ts';
import { html } from '../../../text/html.ts';
import { dataTable } from './dataTable.ts';
import type { Page } from './pageFrame.ts';
import { grouped, shortMoment } from './parts.ts';
import { csrfField, onceField, type TeamVisit, teamPage } from './teamPage.ts';

export interface Revocations {
  readonly keys: readonly KeyInfo[];
  readonly once: string;
  /** Whether the person sent the list without a tick in its box. */
  readonly isUnticked: boolean;
}

/** The page before the keys are revoked. Nothing happens until its box is ticked. */
export function confirmRevocations(visit: TeamVisit, { keys, once, isUnticked }: Revocations): Page {
  const keysText = keys.length === 1 ? 'this key' : `these ${grouped(keys.length)} keys`;
  const inUse = keys.filter(({ dayUse }) => dayUse > 0).length;
  return teamPage(visit, {
    title: 'Revoke keys',
    tab: 'Keys',
    main: html`
<div class="sections">
<div class="stack">
<h1>Revoke ${keysText}?</h1>
<p class="lead">Their next request is refused, on every server. This cannot be undone.</p>
${inUse > 0 && html`<p class="note danger"><strong>${grouped(inUse)} of them made requests in the last 24 hours.</strong> Whoever uses them is cut off.</p>`}
</div>
<form class="stack" method="post" action="${visit.root}admin/revoke">${csrfField(visit)}${onceField(once)}<input type="hidden" name="confirmed" value="yes">
${keys.map(({ id }) => html`<input type="hidden" name="id" value="${id}">`)}
${dataTable({
  label: 'Keys to revoke',
  isCompact: true,
  headings: ['Key', 'Last use (UTC)', 'Last 24 hours'],
  rows: keys,
  cells: ({ id, label, last4, usedMs, dayUse }) => html`
<td role="cell" class="first"><span class="label">${label}</span> <span class="quiet">…<code>${last4}</code> · ${id}</span></td>
<td role="cell" data-label="Last use" class="number"><span>${usedMs === null ? html`<span class="quiet">never</span>` : shortMoment(usedMs)}</span></td>
<td role="cell" data-label="Last 24 hours" class="number"><span>${grouped(dayUse)}</span></td>`,
})}
${isUnticked && html`<p class="problem" id="sure-problem" role="alert">Tick the box to say that you mean it. Nothing was changed.</p>`}
<label class="tick"><input type="checkbox" name="sure" value="yes" required${isUnticked && html` aria-invalid="true" aria-describedby="sure-problem"`}><span>Yes, refuse ${keysText} from now on</span></label>
<p><button class="button danger">Revoke ${keysText}</button> <a class="button plain" href="${visit.root}admin">Leave them as they are</a></p>
</form>
</div>`,
  });
}
