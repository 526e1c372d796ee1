// Parts of several pages: times, counts, texts to copy, icons.

import { type Html, html, verbatim } from '../../../text/html.ts';

/** A time such as `28 November 2026, 14:05 UTC`, with the exact time for programs. */
export const moment = (epochMs: number): Html =>
  html`<time datetime="${new Date(epochMs).toISOString()}">${LONG.format(epochMs).replace(' at ', ', ')} UTC</time>`;

/** A time such as `28 Nov 2026, 14:05`, for tables whose headings say that times are in UTC. */
export const shortMoment = (epochMs: number): Html =>
  html`<time datetime="${new Date(epochMs).toISOString()}">${SHORT.format(epochMs)}</time>`;

const LONG = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const SHORT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** A number such as `10,000`. */
export const grouped = (count: number): string => count.toLocaleString('en-GB');

/** A number with its noun, such as `1 key` or `10,000 keys`. */
export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A field that offers several values, each with its words. */
export const choice = (name: string, words: Readonly<Record<string, string>>, chosen: string): Html =>
  html`<select id="${name}" name="${name}">${Object.entries(words).map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select>`;

/** A text to copy. A click selects all of it. If scripts run, there is also a button that copies it. */
export const copyable = ({ id, text, what, isKey = false }: Copyable): Html => html`
<div class="secret${isKey && ' key'}">
<code id="${id}" translate="no" tabindex="0" role="textbox" aria-readonly="true" aria-label="${what}">${text}</code>
<div class="secret-row">
<button type="button" class="button ${isKey ? '' : 'plain slight'}" data-copies="${id}" data-says="${id}-said" data-done="Copied" hidden>Copy ${what}</button>
<span class="said" id="${id}-said" role="status"></span>
<noscript><span class="quiet small">Select the text above and copy it.</span></noscript>
</div>
</div>`;

interface Copyable {
  readonly id: string;
  readonly text: string;
  /** The name of the text within a sentence, such as `the key`. */
  readonly what: string;
  readonly isKey?: boolean;
}

/** The beginning of a page that shows a new key. The key is shown only once. */
export const keyShownOnce = (
  heading: string,
  { label, key }: { readonly label: string; readonly key: string },
): Html => html`
<p class="eyebrow breakable">${label}</p>
<h1>${heading}</h1>
<p class="note"><strong>Copy it now.</strong> This is the only time it is shown: we keep no copy that could be read.</p>
${copyable({ id: 'key', text: key, what: 'the key', isKey: true })}`;

/** Icons. Each is beside a text that says the same. */
export const ICONS = {
  eye: icon(
    '<path d="M1.5 10S4.5 4 10 4s8.5 6 8.5 6-3 6-8.5 6-8.5-6-8.5-6Z"/><circle cx="10" cy="10" r="2.5"/>',
  ),
  clock: icon('<circle cx="10" cy="10" r="7.5"/><path d="M10 5.5V10l3 2"/>'),
  lock: icon('<rect x="3.5" y="9" width="13" height="8.5" rx="2"/><path d="M6.5 9V6a3.5 3.5 0 0 1 7 0v3"/>'),
  gauge: icon('<path d="M2.5 15a8 8 0 1 1 15 0"/><path d="m10 11.5 3.5-4"/>'),
  send: icon('<path d="M3 10h13M11 5l5 5-5 5"/>'),
} as const;

function icon(paths: string): Html {
  return verbatim(`<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false">${paths}</svg>`);
}
