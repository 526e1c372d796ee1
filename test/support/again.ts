// Repeats a request that got a 503, a bounded number of times: `await comeAgain(() => ask(url))`.

import { setTimeout as sleep } from 'node:timers/promises';

/** A machine that does too much else at once may keep Redis waiting; a server that never answers shall show. */
const MOST = 40;

/** The first answer that is no 503, which has cost its key nothing; or the last one. */
export async function comeAgain<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (let times = 1; ; times++) {
    const answer = await ask();
    if (answer.status !== 503 || times === MOST) return answer;
    await sleep(50);
  }
}
