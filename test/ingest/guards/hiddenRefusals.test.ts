// A refusal names the refusals that appear only once it is accepted.

import { expect, it } from '@jest/globals';
import { printedFindings } from '../../../ingest/commands/output/printedFindings.ts';
import type { Acceptance } from '../../../ingest/guards/finding.ts';
import { hiddenRefusalsText } from '../../../ingest/guards/hiddenRefusals.ts';
import { guarded } from '../../support/comparedSnapshots.ts';
import type { Row } from '../../support/snapshot.ts';
import { C, COUNTRIES, month } from './plainMonth.ts';

const D = 'Country D';

/** The month without a product of some countries, whose other USD figures of reported years are × 1.03. */
const after = (...countries: readonly string[]) => {
  const isOne = ({ country }: Row) => countries.includes(String(country));
  const { ggr = [], ...others } = month({
    ggr: (row) =>
      isOne(row) && row.fx === 'USD' && row.temporal === 'Current'
        ? { ...row, ggr: Math.round(1.03 * Number(row.ggr)) }
        : row,
  });
  return { ...others, ggr: ggr.filter((row) => !isOne(row) || row.product !== 'Poker') };
};

const refusalsOf = async (accept: readonly Omit<Acceptance, 'reason'>[], ...countries: readonly string[]) => {
  const accepted = accept.map((one) => ({ ...one, reason: 'It is right' }));
  const { findings } = await guarded(month(), after(...countries), { accept: accepted });
  return findings.filter((one) => one.severity === 'refuse' && one.accepted === null);
};

it('a refusal names those that it hides, and accepting all of them in one run leaves none', async () => {
  const vanished = { rule: 'vanished', dataset: 'ggr', country: C } as const;
  const relations = { rule: 'relations', dataset: 'ggr', country: C } as const;
  const [first, ...others] = await refusalsOf([], C);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ rule: 'vanished', country: C });
  expect(first?.hides).toEqual([
    {
      dataset: 'ggr',
      message: expect.stringMatching(/^Country C: figures in USD disagree with those in local currency/),
      accept: '--accept "relations:ggr:Country C" --reason "…"',
    },
  ]);
  const [second] = await refusalsOf([vanished], C);
  expect(second).toMatchObject({ ...first?.hides[0], hides: [] });
  expect(await refusalsOf([vanished, relations], C)).toEqual([]);
  const printed = printedFindings(first === undefined ? [] : [first], undefined);
  expect(printed).toContain(
    '--accept "vanished:ggr:Country C" --reason "…". Behind it is 1 more refusal: ggr: Country C: figures in USD disagree',
  );
});

it('refusals of several countries name those of their own country', async () => {
  const refused = await refusalsOf([], C, D);
  expect(refused.map(({ country, hides }) => [country, hides.map(({ accept }) => accept)])).toEqual(
    [C, D].map((country) => [country, [`--accept "relations:ggr:${country}" --reason "…"`]]),
  );
});

it('a refusal that hides nothing names nothing', async () => {
  const { ggr = [], ...others } = month();
  const { findings } = await guarded(month(), {
    ...others,
    ggr: ggr.filter(({ country }) => country !== COUNTRIES[0]),
  });
  expect(findings.map(({ hides }) => hides)).toEqual(findings.map(() => []));
  expect(findings.some(({ severity }) => severity === 'refuse')).toBe(true);
  expect(hiddenRefusalsText([])).toBe('');
});

it('a text names three of the refusals, and counts the others', () => {
  const hides = COUNTRIES.slice(0, 5).map((country) => ({
    ...{ dataset: 'ggr' as const, message: `${country}: its USD` },
    accept: `--accept "relations:ggr:${country}" --reason "…"`,
  }));
  expect(hiddenRefusalsText(hides)).toMatch(
    /^\. Behind it are 5 more refusals: ggr: Country A: its USD \(--accept .*\); .* Country C: .*; and 2 more$/,
  );
});
