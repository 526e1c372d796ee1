// The pages for people without a session: signing in, and why a form was refused.

import type { Person, Role } from '../../../access/people/people.ts';
import { type Html, html } from '../../../text/html.ts';
import { message, typedTexts } from './message.ts';
import type { Page } from './pageFrame.ts';
import type { TeamVisit } from './teamPage.ts';

const COMMAND = html`<code>npm run keys -- signin</code>`;

/** The texts of a form that did nothing, to be copied and sent again; null when there are none. */
const notSent = (typed: string): Html | null =>
  typedTexts(typed, 'The form was not carried out. This is what was typed into it:');

/**
 * The page for a visit without a session.
 *
 * @param found `ended` when the session of the browser's cookie has ended, `nobody` when there is none.
 * @param oidcRoot the relative link to the root of the service; null without a provider.
 * @param typed the texts of a form that was sent without a session, one a line.
 */
export function pleaseSignIn(found: 'ended' | 'nobody', oidcRoot: string | null, typed: string): Page {
  const below = notSent(typed);
  const advice =
    oidcRoot === null
      ? html`On the machine that runs the service, ${COMMAND} prints a link that signs you in.`
      : html`<a class="button" href="${oidcRoot}admin/oidc/start">Sign in with your organisation’s account</a>`;
  if (found === 'nobody')
    return message({
      title: 'Please sign in',
      text: 'This is the page of the team that looks after the keys.',
      advice,
      below,
    });
  const text =
    oidcRoot === null
      ? 'A session ends after 30 minutes without a click, and after 12 hours in any case.'
      : 'A session ends after 30 minutes without a click, an hour after your organisation’s account began it, and when you sign out there.';
  return message({ title: 'You have been signed out', text, advice, below });
}

/** The page for a person whose role does not allow what they tried to do. */
export const lacksRole = (
  { root, person: { name, role } }: TeamVisit,
  { needed, owners, typed }: { needed: Role; owners: readonly Person[]; typed: string },
): Page =>
  message({
    title: `This needs the role ${needed}`,
    text: `You are signed in as ${name}, whose role is ${role}. Nothing was changed.`,
    advice: html`An owner can give you the role on the page <a href="${root}admin/people">People</a>${owners.length === 0 ? html`; there is none yet, so ask whoever runs the service for ${COMMAND}` : `: ${owners.map((owner) => owner.name).join(', ')}`}.`,
    below: notSent(typed),
  });

/**
 * The page with the button that signs in. Only the button uses up the link, because mail scanners open links as well.
 */
export const signinForm = (nonce: string): Page => ({
  title: 'Sign in',
  main: html`
<div class="card stack">
<h1>Sign in to the team’s page</h1>
<p class="lead">There you invite people, and see, limit, rotate and revoke their keys. What you do is noted in the audit log.</p>
<form method="post" class="actions">
<input type="hidden" name="nonce" value="${nonce}">
<button class="button large">Sign in</button>
</form>
</div>`,
});

/** The page for a sign-in link that was used, has expired or is unknown. */
export const spentSignin = (): Page =>
  message({
    title: 'This sign-in link does not work any more',
    text: 'Such a link works once, and for ten minutes.',
    advice: html`${COMMAND} prints a new one.`,
  });

/** The page after signing out. */
export const signedOut = (): Page =>
  message({
    title: 'You are signed out',
    text: 'Nobody can use this browser to reach the team’s page any more.',
    advice: html`${COMMAND} prints a link that signs you in again.`,
  });

/**
 * The page for a form that does not come from one of our pages, or from a page of an earlier session.
 *
 * @param back the link to the page with the form.
 * @param typed the texts of the form, one a line; empty when it comes from another site.
 */
export const refusedForm = (back: string, typed = ''): Page =>
  message({
    title: 'Please press the button once more',
    text: 'We could not tell that this came from a button on our own page, so nothing was done.',
    advice: html`<a href="${back}">Open the page again</a> and press the button there. If that does not help, allow cookies for this address.`,
    below: notSent(typed),
  });

/** The page that says why a sign-in through the identity provider failed. */
export const oidcRefused = (why: OidcRefusal, root: string): Page =>
  message({
    title: 'You are not signed in',
    text: OIDC_REFUSALS[why],
    advice: html`<a href="${root}admin/oidc/start">Sign in again</a>, or ask whoever runs the service for a link from ${COMMAND}.`,
  });

const OIDC_REFUSALS = {
  unknown: 'This sign-in was not begun in this browser, took longer than ten minutes, or was used before.',
  unverified: 'Your organisation’s account gave us no e-mail address that it has verified.',
  'not allowed': 'Your e-mail address is not among those that may sign in here.',
  declined: 'Your organisation’s sign-in page ended without signing you in.',
  clock: 'The time in the answer of your organisation’s sign-in is not ours: one of the two clocks is wrong.',
  away: 'Your organisation’s sign-in does not answer. It may be back in a moment.',
  invalid: 'The answer of your organisation’s sign-in could not be trusted, so nobody was let in.',
} as const;

/** Why a sign-in through the identity provider failed. */
export type OidcRefusal = keyof typeof OIDC_REFUSALS;
