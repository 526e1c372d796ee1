// Each option `--accept` belongs to an option `--reason`.

import { expect, it } from '@jest/globals';
import { parseAcceptances } from '../../../../ingest/commands/publish/parseAcceptances.ts';

it('each --accept is paired with its --reason, and that of a damaged snapshot stands apart', () => {
  const accept = ['vanished:ggr:Malta', 'current-damaged', 'totals:fx', 'rows'];
  expect(parseAcceptances(accept, ['closed', ' the disk failed ', 'rebased', 'merged'])).toEqual({
    years: [],
    findings: [
      { rule: 'vanished', dataset: 'ggr', country: 'Malta', reason: 'closed' },
      { rule: 'totals', dataset: 'fx', reason: 'rebased' },
      { rule: 'rows', dataset: null, reason: 'merged' },
    ],
    damagedCurrentReason: 'the disk failed',
  });
  expect(parseAcceptances([], [])).toEqual({ findings: [], years: [], damagedCurrentReason: null });
});

it('far years are accepted everywhere, in a dataset, or one by one', () => {
  const accept = ['far-years', 'far-years:ggr', 'far-years:fx:1930', 'far-years:fx:1900-1910'];
  expect(parseAcceptances(accept, ['a', 'b', 'c', 'd'])).toEqual({
    findings: [],
    years: [
      { dataset: null, years: null, reason: 'a' },
      { dataset: 'ggr', years: null, reason: 'b' },
      { dataset: 'fx', years: { first: 1930, last: 1930 }, reason: 'c' },
      { dataset: 'fx', years: { first: 1900, last: 1910 }, reason: 'd' },
    ],
    damagedCurrentReason: null,
  });
});

it.each(['é', '審査済み', '٣', '#4711'])('a reason may be %s', (reason) => {
  expect(parseAcceptances(['rows'], [reason]).findings).toEqual([{ rule: 'rows', dataset: null, reason }]);
});

it.each<[readonly string[], readonly string[], string]>([
  [['rows'], [], '--accept rows needs a reason: --accept rows --reason "why it is right"'],
  [['rows'], ['  '], '--accept rows needs a reason'],
  [['rows'], ['…'], 'the reason "…" of --accept rows says nothing; write why the change is right'],
  [['rows'], [' . '], 'the reason "." of --accept rows says nothing'],
  [['current-damaged'], ['–?!'], 'the reason "–?!" of --accept current-damaged says nothing'],
  [['rows'], ['one', 'two'], '--reason belongs to an --accept: --accept RULE --reason TEXT'],
  [['rows', 'rows'], ['one', 'two'], '--accept rows is given twice; keep one of them'],
  [['current-damaged', 'current-damaged'], ['one', 'two'], '--accept current-damaged is given twice'],
  [
    ['current-damaged:ggr'],
    ['one'],
    'current-damaged is about all datasets; leave the colon and the rest out',
  ],
  [['row'], ['one'], '--accept row: there is no rule "row"; did you mean "rows"?'],
  [['rows:gg'], ['one'], '--accept rows:gg: there is no dataset "gg"; did you mean "ggr"?'],
  [['rows:ggr: '], ['one'], 'names no country'],
  [['far-year'], ['one'], 'there is no rule "far-year"; did you mean "far-years"?'],
  [['far-years:gg'], ['one'], 'there is no dataset "gg"; did you mean'],
  [['far-years:ggr:Malta'], ['one'], 'names no year; write one, such as 1930, or a span, such as 1900-1930'],
  [['far-years:ggr:1930-1900'], ['one'], 'names no year'],
])('--accept %j with the reasons %j is refused', (accept, reasons, message) => {
  expect(() => parseAcceptances(accept, reasons)).toThrow(message);
});
