// A page with a single message, and the messages of refusals.

import { type Html, html } from '../../../text/html.ts';
import type { Page } from './pageFrame.ts';
import { copyable } from './parts.ts';

export interface Message {
  readonly title: string;
  readonly text: string;
  readonly advice?: string | Html;
  /** What stands below the advice, such as a text to copy. */
  readonly below?: Html | null;
}

/** A page with one message, and advice on what to do. */
export const message = ({ title, text, advice, below = null }: Message): Page => ({
  title,
  main: html`
<div class="card stack">
<h1>${title}</h1>
<p class="lead">${text}</p>
${advice === undefined ? null : html`<p>${advice}</p>`}
${below}
</div>`,
});

/**
 * The texts that a person typed into a form, to be copied; null when there are none.
 *
 * @param typed the texts, one a line.
 */
export const typedTexts = (typed: string, heading = 'This is what was typed into the form:'): Html | null =>
  typed === ''
    ? null
    : html`<p>${heading}</p>
${copyable({ id: 'typed', text: typed, what: 'the text' })}`;

interface Refusal {
  readonly status: number;
  readonly retryAfterSeconds: number;
  /** Whether the request sent a form, which may have taken effect before the error. */
  readonly isForm: boolean;
  /** The texts of the form, one a line; empty when it has none or comes from another site. */
  readonly typed: string;
}

/** The page that is shown for an error. */
export function refusal({ status, retryAfterSeconds, isForm, typed }: Refusal): Page {
  const below = typedTexts(typed);
  if (status === 429) {
    const wait = retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`;
    return message({
      title: 'Too many visits from your network',
      text: isForm
        ? `The form was not carried out. Please wait ${wait}, then send it again.`
        : `Please wait ${wait}, then load the page again.`,
      advice: 'The limit holds for everybody behind the same address, so it may not have been you.',
      below,
    });
  }
  const shown = isForm
    ? (FORM_REFUSALS[status] ?? REFUSALS[status] ?? FORM_UNEXPECTED)
    : (REFUSALS[status] ?? UNEXPECTED);
  return message({ ...shown, below });
}

const AGAIN = html`<a href="">Open it again</a> in a moment.`;

const REFUSALS: Readonly<Record<number, Message>> = {
  404: {
    title: 'There is no such page',
    text: 'Perhaps the link was cut when it was copied.',
  },
  413: {
    title: 'That was too much',
    text: 'The form held more than we take, and nothing was done.',
    advice: html`<a href="">Open the page again</a> and send less.`,
  },
  503: {
    title: 'We cannot look that up right now',
    text: 'This should pass by itself within seconds. Nothing is lost: links and keys stay as they are.',
    advice: AGAIN,
  },
};

const UNEXPECTED: Message = {
  title: 'Something went wrong on our side',
  text: 'It has been noted, and we will look into it.',
  advice: AGAIN,
};

const LOOK_FIRST = html`<a href="">Open the page again</a> in a moment, and look before you send the form once more.`;

/** The messages for forms that may have taken effect before the error. */
const FORM_REFUSALS: Readonly<Record<number, Message>> = {
  503: {
    title: 'We cannot look that up right now',
    text: 'This should pass by itself within seconds. Whether the form took effect is not known.',
    advice: LOOK_FIRST,
  },
};

const FORM_UNEXPECTED: Message = {
  title: UNEXPECTED.title,
  text: `${UNEXPECTED.text} Whether the form took effect is not known.`,
  advice: LOOK_FIRST,
};
