// Says what became of reading options: those of a recipe, those for files that are not there, and those without effect.

import { afterEach, describe, expect, it } from '@jest/globals';
import { type GivenOptions, readingOptions } from '../../../ingest/staging/readingOptions.ts';
import { DATASET_NAMES } from '../../../src/catalog/datasets.ts';
import { aMonth, csvOf, type Month } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';

let month: Month | undefined;
afterEach(() => month?.remove());

const problemsWith = async (given: GivenOptions, ggr: string | number = 5): Promise<string[]> => {
  month = await aMonth({ 'ggr.csv': csvOf('ggr', [aRow('ggr', { ggr })]) });
  return await month.problems({ reading: readingOptions(given) });
};

describe('an option that changed nothing', () => {
  it.each<[GivenOptions, string]>([
    [{ numbers: ['de'] }, '--numbers de: changed nothing in any file; leave it out'],
    [{ numbers: ['ggr.csv=de'] }, '--numbers ggr.csv=de: changed nothing in ggr.csv; leave it out'],
    [{ missing: ['n/a'] }, '--missing n/a: changed nothing in any file; leave it out'],
    [{ 'fill-down': ['country'] }, '--fill-down country: changed nothing in any file; leave it out'],
    [
      { scale: ['ggr.csv=turnover=1e6'] },
      '--scale ggr.csv=turnover=1e6: changed nothing in ggr.csv; leave it out',
    ],
  ])('is noted: %j', async (given, note) => {
    expect(await problemsWith(given)).toEqual([`note ${note}`]);
  });

  it.each<[GivenOptions, string | number]>([
    [{ numbers: ['de'] }, '1,5'],
    [{ numbers: ['en'] }, '404.021'],
    [{ missing: ['n/a'] }, 'n/a'],
    [{ scale: ['ggr=1'] }, 5],
    [{ scale: ['ggr.csv=ggr=1e3'] }, 5],
  ])('is not one that answered a question: %j', async (given, ggr) => {
    expect((await problemsWith(given, ggr)).filter((said) => said.includes('changed nothing'))).toEqual([]);
  });
});

describe('an option that cannot be meant', () => {
  it.each<[GivenOptions, string]>([
    [{ scale: ['ggr=1e6', 'ggr=1e3'] }, '--scale ggr is given twice; give it once'],
    [{ scale: ['ggr=0'] }, '--scale ggr=0: 0 is no factor; write a number above zero, such as 1e6'],
    [{ numbers: ['fr'] }, '--numbers fr: write de for 1.234,5 or en for 1,234.5'],
    [{ 'fill-down': ['nonsense'] }, '--fill-down nonsense: nonsense is no dimension; write some of: year, '],
    [{ missing: [''] }, '--missing : the value is empty; write the texts that stand for an empty cell'],
  ])('is refused before anything is read: %j', (given, message) => {
    expect(() => readingOptions(given)).toThrow(message);
  });
});

describe('options in recipe.json', () => {
  /** A SELECT of one default row of each dataset, over no tables at all. */
  const selects = Object.fromEntries(
    DATASET_NAMES.map((name) => {
      const row = Object.entries(aRow(name)).map(([column, value]) => `'${value}' AS ${column}`);
      const typed = row.map((text) => text.replace(/^'(\d+)' AS/, '$1 AS'));
      return [`${name}.sql`, `SELECT ${typed.join(', ')}`];
    }),
  );
  const published = async (options: object, given: GivenOptions = {}) => {
    month = await aMonth({}, true);
    await month.write({ 'recipe.json': JSON.stringify({ tables: {}, ...options }), ...selects });
    const { problems, manifest } = await month.publish({
      recipe: month.directory,
      reading: readingOptions(given),
    });
    return {
      problems: problems.map(({ severity, place, message }) => `${severity} ${place}: ${message}`),
      sum: manifest?.datasets.ggr.metrics.ggr?.sum,
      reading: manifest?.reading,
    };
  };

  it('are read as on the command line, and recorded', async () => {
    const { sum, reading } = await published({ scale: ['ggr=1e6'] });
    const { sum: plain } = await published({});
    expect(sum).toBe((plain ?? 0) * 1e6);
    expect(reading).toEqual([{ option: 'scale', value: 'ggr=1e6', found: false }]);
  });

  it('hold for one SELECT, by its name', async () => {
    const { problems, reading } = await published({ scale: 'ggr.sql=ggr=1e6' });
    expect(problems).toEqual([]);
    expect(reading).toEqual([{ option: 'scale', value: 'ggr=1e6', file: 'sources/ggr.sql', found: false }]);
  });

  it.each<[object, GivenOptions, string]>([
    [{ scale: 'ggr' }, {}, 'error recipe.json: --scale ggr: write a metric and its factor, such as ggr=1e6'],
    [{ scale: 'ggr=1' }, { scale: ['ggr=2'] }, 'error recipe.json: --scale ggr is given twice; give it once'],
    [{}, { numbers: ['gr.sql=de'] }, 'error --numbers gr.sql=de: there is no source gr.sql; name one of: '],
    [{ fillDown: 5 }, {}, 'error recipe.json › fillDown: is neither a text nor a list of texts'],
    [{ filldown: 'country' }, {}, 'error recipe.json: unknown key "filldown"; did you mean "fillDown"?'],
    [{ missing: 'n/a' }, {}, 'note --missing n/a: changed nothing in any file; leave it out'],
  ])('that cannot be are said with their place: %j %j', async (options, given, said) => {
    expect((await published(options, given)).problems[0]).toContain(said);
  });
});
