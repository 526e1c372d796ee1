// The pages that the holder of an invite sees: the invitation, the new key, or the reason why there is none.

import type { ClaimRefusal } from '../../../access/invites/invites.ts';
import type { KeyInfo } from '../../../access/keys/keyRecords.ts';
import { type Html, html } from '../../../text/html.ts';
import type { Limits } from './keyPages.ts';
import { type Message, message } from './message.ts';
import type { Page } from './pageFrame.ts';
import { copyable, grouped, ICONS, keyShownOnce, moment } from './parts.ts';

export interface OpenInvite {
  readonly label: string;
  /** Epoch milliseconds. */
  readonly expiresMs: number;
  readonly nonce: string;
}

/** The page of an open invite. Its form is sent to the address of the page itself. */
export const invitation = ({ label, expiresMs, nonce }: OpenInvite): Page => ({
  title: 'Claim your API key',
  main: html`
<div class="card stack">
<p class="eyebrow breakable">Invite for ${label}</p>
<h1>Claim your API key</h1>
<p class="lead">One click makes a key of your own for the Gambling data API and shows it on the next page.</p>
<ul class="facts">
<li>${ICONS.eye}<span>The key is <strong>shown once</strong>. Have your password manager or secrets store ready before you go on.</span></li>
<li>${ICONS.lock}<span>This link makes <strong>one key</strong>, for whoever presses the button first. Please do not pass it on.</span></li>
<li>${ICONS.clock}<span>It works until ${moment(expiresMs)}. Until you press the button, nothing happens.</span></li>
</ul>
<form method="post" class="actions">
<input type="hidden" name="nonce" value="${nonce}">
<button class="button large">Create my API key</button>
</form>
</div>`,
});

export interface ClaimedKey {
  readonly key: string;
  readonly label: string;
  /** The address of the service, without a slash at the end. */
  readonly address: string;
  readonly limits: Limits;
  /** When the key ends, in epoch milliseconds; null for a key without an end. */
  readonly expiresMs: number | null;
}

/** The page with the new key. It is shown once. */
export const claimedKey = ({ key, label, address, limits, expiresMs }: ClaimedKey): Page => ({
  title: 'Your API key',
  main: html`
<div class="card stack">
${keyShownOnce('Your API key', { label, key })}
<h2>Try it</h2>
<p>Your first query: five rows of gross gaming revenue.</p>
${firstQueries(address, key).map(
  ({ language, program }, i) => html`
<details${i === 0 && html` open`}>
<summary>${language}</summary>
${copyable({ id: `query-${language.toLowerCase()}`, text: program, what: `the ${language} ${i === 0 ? 'command' : 'program'}` })}
</details>`,
)}
<p>When you have made a request, <a href="" target="_blank" rel="noopener">check in a new tab that it arrived</a>. That page does not show the key again.</p>
<p>Go on with <a href="${address}/docs">the documentation</a>, or <a href="${address}/" data-hands-over="key">explore the data</a> in your browser.</p>
<h2>Good to know</h2>
<ul class="facts">
<li>${ICONS.send}<span>Send it in the header <code>x-api-key</code> of every request, never in an address.</span></li>
<li>${ICONS.gauge}<span>It admits up to ${grouped(limits.perMinute)} requests in any minute and ${grouped(limits.perDay)} in any 24 hours.</span></li>
${expiresMs !== null && html`<li>${ICONS.clock}<span>It works until ${moment(expiresMs)}.</span></li>`}
<li>${ICONS.lock}<span>Whoever has it can use it. If it is lost, or others may have seen it, ask the team for a new invite.</span></li>
</ul>
</div>`,
});

/** Complete programs for the first query. The key and the address have no character that needs to be quoted. */
function firstQueries(address: string, key: string) {
  const url = `${address}/v1/financials?metric=ggr&limit=5`;
  return [
    { language: 'curl', program: `curl -H "x-api-key: ${key}" "${url}"` },
    {
      language: 'Python',
      program: `# pip install pandas requests
import pandas, requests

answer = requests.get("${url}", headers={"x-api-key": "${key}"})
print(pandas.json_normalize(answer.json()["data"]))`,
    },
    {
      language: 'R',
      program: `# install.packages(c("httr", "jsonlite"))
library(httr)
library(jsonlite)

answer <- GET("${url}", add_headers("x-api-key" = "${key}"))
print(fromJSON(content(answer, "text", encoding = "UTF-8"), flatten = TRUE)$data)`,
    },
    {
      language: 'JavaScript',
      program: `const answer = await fetch("${url}", { headers: { "x-api-key": "${key}" } });
const { data } = await answer.json();
console.table(data.map(({ dimensions, values }) => ({ ...dimensions, ...values })));`,
    },
  ];
}

/** The page for the browser that has claimed the key, such as after a second click. It does not show the key again. */
export const claimedHere = ({ label, last4, usedMs, state }: KeyInfo): Page =>
  message({
    title: 'You have just claimed this key',
    text: `This very browser made the key for ${label}; it ends in ${last4}.`,
    advice: adviceOn(state, usedMs),
  });

function adviceOn(state: KeyInfo['state'], used: KeyInfo['usedMs']): string | Html {
  if (state !== 'active') return 'It does not work any more. Ask the person who invited you for a new one.';
  if (used !== null)
    return html`We have seen your first request: the key works. <strong>Last use ${moment(used)}.</strong>`;
  return html`We have not seen a request with it yet; <a href="">look again</a> after your first query. If the key was never shown to you, as after two quick clicks, nothing can show it now: ask the person who invited you to replace it, which takes them one click.`;
}

/** The page for a link that was used, has expired, was revoked or is unknown. */
export const spentInvite = (why: ClaimRefusal): Page => message(SPENT[why]);

const SPENT: Readonly<Record<ClaimRefusal, Message>> = {
  used: {
    title: 'This invite has been used',
    text: 'It made its one key, which was shown at that moment and cannot be shown again.',
    advice:
      'If that was you and you have the key, all is well. If the key was lost, or somebody else pressed the button, tell the person who invited you: they can revoke it and send a new invite.',
  },
  expired: {
    title: 'This invite has expired',
    text: 'It was not claimed in time, and no key was made.',
    advice: 'Ask the person who invited you for a new one; it takes them a few seconds.',
  },
  revoked: {
    title: 'This invite was withdrawn',
    text: 'The team took it back before it was claimed, and no key was made.',
    advice: 'If you did not expect that, ask the person who invited you.',
  },
  unknown: {
    title: 'This invite is not known',
    text: 'The address belongs to no invite of ours.',
    advice:
      'Perhaps it was cut: mail programs sometimes break long links in two. Copy the whole link and open it again, or ask the person who invited you for a new one.',
  },
};

/** The page for a claim that does not come from the button of the page (ruling 26). */
export const refusedClaim = (): Page =>
  message({
    title: 'Please press the button once more',
    text: 'We could not tell that this came from the button on our own page, so no key was made. Your invite is as it was.',
    advice: html`<a href="">Open the invite again</a> and press the button there. If that does not help, allow cookies for this address.`,
  });
