// Tells PUBLISH_WEBHOOK that a month was published or refused. Requests are signed with HMAC-SHA-256 and retried.

import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../src/config/config.ts';
import { certificateRemedy, withoutAdvice } from '../../src/system/certificates.ts';

/** The pauses before the second and the third attempt. */
const PAUSES_MS = [1000, 4000];

/** How long an attempt waits for the answer. */
const ANSWER_MS = 10_000;

/** The longest pause that a receiver may ask for with `Retry-After`, because `watch` does nothing else meanwhile. */
const LONGEST_PAUSE_MS = 60_000;

/** The codes 4xx after which the same request may succeed: timeout, too early, too many requests. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Posts a document as JSON. `X-Timestamp` holds the time in epoch seconds. `X-Signature-256` holds `sha256=` and the HMAC
 * of `<timestamp>.<body>` in hexadecimal. The signed time lets the receiver refuse an old request that somebody sends
 * again. All attempts have the same `id` in the body and in `Webhook-Id`. A receiver whose answer got lost recognises the
 * repetition.
 *
 * A redirect (3xx) is final. So is a refusal (4xx) other than 408, 425 and 429. `Retry-After` makes a pause longer, up to a
 * minute.
 *
 * @returns null when the receiver accepted the document, else the reason why it did not.
 */
export async function callWebhook(
  { url, secret }: NonNullable<Config['publishWebhook']>,
  document: object,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<string | null> {
  const id = randomUUID();
  const body = JSON.stringify({ id, ...document });
  for (let attempt = 0; ; attempt++) {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    const headers = {
      'Content-Type': 'application/json',
      'Webhook-Id': id,
      'X-Timestamp': timestamp,
      'X-Signature-256': `sha256=${signature}`,
    };
    const problem = await post(url, body, headers);
    if (problem === null || problem.isFinal) return problem?.text ?? null;
    const pauseMs = pausesMs[attempt];
    if (pauseMs === undefined) return problem.text;
    await sleep(Math.max(pauseMs, problem.retryAfterMs));
  }
}

interface FailedCall {
  readonly text: string;
  readonly isFinal: boolean;
  /** The pause that the receiver asked for; 0 when it asked for none. */
  readonly retryAfterMs: number;
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<FailedCall | null> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'manual' });
    const { ok, status } = response;
    // Nothing reads the body of the answer. Its connection would stay open until the body is garbage-collected.
    await response.body?.cancel().catch(() => {});
    if (ok) return null;
    // A redirect is not followed, because most clients would repeat it as GET, without the document.
    const isRedirect = status >= 300 && status < 400;
    const isFinal = isRedirect || (status >= 400 && status < 500 && !TRANSIENT.has(status));
    const text = `it answered ${status}${isRedirect ? ', which leads elsewhere; set PUBLISH_WEBHOOK to that address' : ''}`;
    return { text, isFinal, retryAfterMs: retryAfterMsOf(response.headers) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    const text = withoutAdvice(cause?.message || message);
    const remedy = certificateRemedy(text);
    return { text: remedy === undefined ? text : `${text}; ${remedy}`, isFinal: false, retryAfterMs: 0 };
  }
}

/** The pause that `Retry-After` asks for, in seconds or as a date (RFC 9110 §10.2.3), and at most a minute. */
function retryAfterMsOf(headers: Headers): number {
  const retryAfter = headers.get('retry-after') ?? '';
  const askedMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Math.min(Math.max(askedMs || 0, 0), LONGEST_PAUSE_MS);
}
