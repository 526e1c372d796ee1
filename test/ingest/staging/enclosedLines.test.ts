// A field of a csv that holds whole lines, because stray quotes enclose them, is reported with the lines of both quotes.

import { expect, it } from '@jest/globals';
import { csvOf, problemsOf } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';

/** A csv of three years of ggr of one product, in which the test changes line 2 and line 4. */
function ggrWith(
  product: string,
  changeSecond: (line: string) => string,
  changeFourth = changeSecond,
): string {
  const rows = [2022, 2023, 2024].map((year) => aRow('ggr', { product, year, ggr: year / 8 }));
  const [heading, second = '', third, fourth = ''] = csvOf('ggr', rows).split('\n');
  return [heading, changeSecond(second), third, changeFourth(fourth), ''].join('\n');
}

it('names the lines of both quotes, whatever the kind of the column', async () => {
  const problems = await problemsOf({
    'ggr-state.csv': ggrWith('A', (line) => line.replace('Malta,,', 'Malta,",')),
    'ggr-year.csv': ggrWith(
      'B',
      (line) => `"${line}`,
      (line) => line.replace('2024', '2024"'),
    ),
    'ggr-figure.csv': ggrWith(
      'C',
      (line) => line.replace(/,([\d.]+)$/, ',"$1'),
      (line) => `${line}"`,
    ),
  });
  const remedy = 'delete these two quotes if they are stray, so that each row is a line again';
  expect(problems.filter((problem) => problem.includes(' ggr-'))).toEqual([
    `error ggr-figure.csv › line 2, column ggr: ggr begins with a quote on line 2, and ends with one on line 4, behind "Online,Onshore,EUR,Current,253"; ${remedy}`,
    `error ggr-state.csv › line 2, column state: state begins with a quote on line 2, and ends with one on line 4, behind "2024,Europe,Malta,"; ${remedy}`,
    `error ggr-year.csv › line 2, column year: year begins with a quote on line 2, and ends with one on line 4, behind "2024"; ${remedy}`,
  ]);
});

it('does not report as missing what the field holds of the row', async () => {
  const csv = ggrWith(
    'A',
    (line) => line.replace('Malta,,', 'Malta,",'),
    (line) => line.replace('Online', 'Online"'),
  );
  const errors = (await problemsOf({ 'ggr.csv': csv })).filter((problem) => problem.startsWith('error'));
  expect(errors).toEqual([
    expect.stringContaining(
      'ggr.csv › line 2, column state: state begins with a quote on line 2, and ends with one on line 4',
    ),
  ]);
});

it('asks for a space in place of a line break inside a name', async () => {
  const problems = await problemsOf({
    'ggr.csv': csvOf('ggr', [aRow('ggr', { product: 'Sport,\nBetting' })]),
  });
  expect(problems).toEqual([
    'error ggr.csv › line 2, column product: product "Sport, Betting" holds a line break; write a space in its place',
  ]);
});
