// Tells PUBLISH_WEBHOOK that a month was published or refused. Requests are signed with HMAC-SHA-256 and retried.

import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Webhook {
  readonly url: string;
  readonly secret: string;
}

/** The pauses before the second and the third attempt. */
const PAUSES_MS = [1000, 4000];

/** How long an attempt waits for the answer. */
const ANSWER_MS = 10_000;

/**
 * Posts a document as JSON. `X-Timestamp` holds the time in epoch seconds. `X-Signature-256` holds `sha256=` and the HMAC of
 * `<timestamp>.<body>` in hexadecimal. The signed time lets the receiver refuse an old request that somebody sends again.
 *
 * @returns null when the receiver accepted the document, else why it did not. A refusal (4xx) is not retried.
 */
export async function callWebhook(
  { url, secret }: Webhook,
  document: object,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<string | null> {
  const body = JSON.stringify(document);
  for (let attempt = 0; ; attempt++) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    const headers = {
      'Content-Type': 'application/json',
      'X-Timestamp': timestamp,
      'X-Signature-256': `sha256=${signature}`,
    };
    const problem = await post(url, body, headers);
    if (problem === null || problem.isFinal) return problem?.text ?? null;
    const pauseMs = pausesMs[attempt];
    if (pauseMs === undefined) return problem.text;
    await sleep(pauseMs);
  }
}

async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ readonly text: string; readonly isFinal: boolean } | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { ok, status } = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'error' });
    return ok ? null : { text: `it answered ${status}`, isFinal: status >= 400 && status < 500 };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    return { text: cause?.message || message, isFinal: false };
  }
}
