// Texts for which a backtracking pattern takes seconds: the time of an answer must grow no faster than its text.

import { describe, expect, it } from '@jest/globals';
import { requestedRange } from '../../../src/http/api/export/byteRange.ts';
import { PAGE_REPRESENTATIONS, representationOf, wantsStrict } from '../../../src/http/api/negotiate.ts';
import { mayBeApiRequest } from '../../../src/http/server/refuse.ts';
import { comparable } from '../../../src/query/selection/compile.ts';
import { suggestAmong } from '../../../src/query/suggest.ts';
import { processorMs } from '../../support/processorMs.ts';

/** Twice the length of the largest head, so that a slow pattern would take ten seconds. */
const LENGTH = 2 ** 17;

const filled = (text: string): string => text.repeat(LENGTH / text.length);

const refused = (text: string): boolean =>
  mayBeApiRequest(
    Object.assign(new Error('refused'), { rawPacket: Buffer.from(text), bytesParsed: text.length }),
    text.length,
  );

describe('a text of 128 KiB is answered at once:', () => {
  it.each<readonly [string, () => unknown, unknown]>([
    [
      'Accept of open quotes',
      () => representationOf({ headers: { accept: filled('"\\') } }, PAGE_REPRESENTATIONS).name,
      'json',
    ],
    [
      'Accept with a quoted parameter that never ends',
      () =>
        representationOf({ headers: { accept: `text/csv;x="${filled('\\"')}` } }, PAGE_REPRESENTATIONS).name,
      'json',
    ],
    ['Prefer of open quotes', () => wantsStrict({ headers: { prefer: filled('"\\') } }), false],
    ['Range of spaces', () => requestedRange({ range: `bytes=${filled(' ')}x` }, 10, '"x"').kind, 'whole'],
    [
      'Range of spaces behind digits',
      () => requestedRange({ range: `bytes=1${filled(' ')}-${filled(' ')}x` }, 10, '"x"').kind,
      'whole',
    ],
    ['line ends that are not a request', () => refused(`GET / HTTP/1.1\r\n\r\n${filled('\n')}\u0001`), false],
    ['line ends before a request', () => refused(`${filled('\r\n')}GET /v1/x HTTP/1.1\r\nnonsense`), true],
    ['lines of capitals', () => refused(filled('A\n\n')), false],
    ['one word without end', () => refused(filled('a')), false],
    [
      'a filter value of accents on one letter',
      () => comparable('country', `a${filled('\u0301\u0323')}`).length,
      LENGTH + 1,
    ],
    [
      'an unknown value of accents on one letter',
      () => suggestAmong(['a'])(`a${filled('\u0301\u0323')}`),
      null,
    ],
  ])('%s', (_, answer, wanted) => {
    const began = processorMs();
    expect(answer()).toBe(wanted);
    expect(processorMs() - began).toBeLessThan(2000);
  });
});
