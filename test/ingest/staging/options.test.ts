// Reports about reading options: those of a recipe, those for files that do not exist, and those without effect.

import { afterEach, describe, expect, it } from '@jest/globals';
import { type GivenOptions, readingOptions } from '../../../ingest/staging/readingOptions.ts';
import { isDeep, itInDepth, some } from '../../support/depth.ts';
import { aMonth, csvOf, type Month } from '../../support/month.ts';
import { SELECTS } from '../../support/selects.ts';
import { aRow } from '../../support/snapshot.ts';

let month: Month | undefined;
afterEach(() => month?.remove());

const problemsWith = async (ggr: Readonly<Record<string, string | number>>, given: GivenOptions) => {
  const files = Object.entries(ggr).map(([file, value], i) => [
    file,
    csvOf('ggr', [aRow('ggr', { year: 2020 + i, ggr: value })]),
  ]);
  month = await aMonth(Object.fromEntries(files));
  return await month.problems({ reading: readingOptions(given) });
};

describe('an option that changed nothing', () => {
  it('is noted', async () => {
    const given: GivenOptions = {
      numbers: ['de', 'ggr.csv=de'],
      missing: ['n/a'],
      'fill-down': ['country'],
      scale: ['ggr.csv=turnover=1e6'],
    };
    const problems = await problemsWith({ 'ggr.csv': 5 }, given);
    expect([...problems].sort()).toEqual([
      'note --fill-down country: changed nothing in any file; leave it out',
      'note --missing n/a: changed nothing in any file; leave it out',
      'note --numbers de: changed nothing in any file; leave it out',
      'note --numbers ggr.csv=de: changed nothing in ggr.csv; leave it out',
      'note --scale ggr.csv=turnover=1e6: changed nothing in ggr.csv; leave it out',
    ]);
  });

  it('does not include an option that answers an error', async () => {
    const ggr = {
      'ggr-a.csv': '1,5',
      'ggr-b.csv': '404.021',
      'ggr-c.csv': 'n/a',
      'ggr-d.csv': '1E+05',
      'ggr-e.csv': 5,
    };
    const given: GivenOptions = {
      numbers: ['de', 'ggr-b.csv=en'],
      missing: ['n/a'],
      scale: ['ggr=1', 'ggr-e.csv=ggr=1e3'],
    };
    const problems = await problemsWith(ggr, given);
    expect(problems.filter((text) => text.includes('changed nothing'))).toEqual([]);
    expect(problems.filter((text) => text.startsWith('error'))).toEqual([]);
  });
});

describe('a factor of 1', () => {
  it('is noted where it answers neither a unit nor a doubt about digits', async () => {
    const given: GivenOptions = { scale: ['ggr-a.csv=ggr=1', 'ggr EUR m.csv=ggr=1', 'ggr-c.csv=ggr=1'] };
    const problems = await problemsWith(
      { 'ggr-a.csv': 5, 'ggr EUR m.csv': 5, 'ggr-c.csv': '6.12E-05' },
      given,
    );
    expect(problems).toEqual(['note --scale ggr-a.csv=ggr=1: changed nothing in ggr-a.csv; leave it out']);
  });
});

describe('a list that is given in parts, as the remedies of several errors name it', () => {
  it('adds up, for all files and for one, and is recorded as one', () => {
    const { all, files, recorded } = readingOptions({
      missing: ['n/a', '–,N/A'],
      'fill-down': ['ggr.csv=region', 'country', 'ggr.csv=country,region'],
    });
    expect([...all.missing]).toEqual(['n/a', '–']);
    expect([...all.fillDown]).toEqual(['country']);
    expect([...(files.get('ggr.csv')?.fillDown ?? [])]).toEqual(['region', 'country']);
    expect(recorded).toEqual([
      { option: 'missing', value: 'n/a,–,N/A', found: false },
      { option: 'fill-down', value: 'region,country,region', file: 'ggr.csv', found: false },
      { option: 'fill-down', value: 'country', found: false },
    ]);
  });
});

describe('options in recipe.json', () => {
  const read = async (options: object, given: GivenOptions = {}, changed = (sql: string) => sql) => {
    month = await aMonth({}, true);
    const ggr = { 'ggr.sql': changed(SELECTS['ggr.sql'] ?? '') };
    await month.write({ 'recipe.json': JSON.stringify({ tables: {}, ...options }), ...SELECTS, ...ggr });
    return await month.read('ggr', { recipe: month.directory, reading: readingOptions(given) });
  };

  // The next test also expects that an option is recorded.
  itInDepth('are read as on the command line, and recorded', async () => {
    const { rows, recorded } = await read({ scale: ['ggr=1e6'] });
    expect(rows.map(({ ggr }) => ggr)).toEqual([1e6]);
    expect(recorded).toEqual([{ option: 'scale', value: 'ggr=1e6', found: false }]);
  });

  it('hold for one SELECT, by its name', async () => {
    const { problems, rows, recorded } = await read({ scale: 'ggr.sql=ggr=1e6' });
    expect(problems).toEqual([]);
    expect(rows.map(({ ggr }) => ggr)).toEqual([1e6]);
    expect(recorded).toEqual([{ option: 'scale', value: 'ggr=1e6', file: 'sources/ggr.sql', found: false }]);
  });

  const TEXTS: [option: object, text: string, ggr: number | undefined, expected: string[]][] = [
    [{ numbers: 'de' }, '1.234,5', 1234.5, ['note .*decimal commas']],
    [{ numbers: 'ggr.sql=en' }, '(1,234)', -1234, ['warning .*usually not negative', 'note .*thousands sep']],
    [{ missing: 'n/a' }, 'n/a', undefined, ['note .*read as empty', 'note .*without any value']],
    [{ missing: 'n/a' }, '1.2m', undefined, ['error sources/ggr.sql › row 1, column ggr: ggr is "1.2m"']],
    [{ numbers: 'turnover.sql=de' }, '1.234,5', undefined, ['error ggr.sql: column ggr holds "1.234,5"']],
  ];
  it.each(some(TEXTS, 1))(
    'read the texts that a SELECT gives as numbers: %j of %s',
    async (option, text, value, expected) => {
      const { rows, problems } = await read(option, {}, (sql) =>
        sql.replace(/'?[\d.]+'? AS ggr/, `'${text}' AS ggr`),
      );
      expect(rows.map(({ ggr }) => ggr)).toEqual(value === undefined ? [] : [value]);
      const ofGgr = problems.filter((problem) => problem.includes('ggr.sql'));
      expect(ofGgr).toEqual(expected.map((one) => expect.stringMatching(new RegExp(`^${one}`))));
    },
  );

  itInDepth(
    'are not needed to read nothing: a SELECT without rows is noted, and one whose rows are refused is not',
    async () => {
      const { problems } = await read({}, {}, (sql) => `${sql} WHERE false`);
      expect(problems).toEqual(['note sources/ggr.sql: gave no rows; the dataset is empty']);
      if (!isDeep) return;
      const refused = await read({}, {}, (sql) => sql.replace(/'?[\d.]+'? AS ggr/, "'NaN'::DOUBLE AS ggr"));
      expect(refused.problems).toEqual([expect.stringMatching(/^error .+ggr is NaN/)]);
    },
  );

  const IMPOSSIBLE: [object, GivenOptions, string][] = [
    [{ scale: 'ggr' }, {}, 'error recipe.json: --scale ggr: write a metric and its factor, such as ggr=1e6'],
    [{ scale: 'ggr=1' }, { scale: ['ggr=2'] }, 'error recipe.json: --scale ggr is given twice; give it once'],
    [{}, { numbers: ['gr.sql=de'] }, 'error --numbers gr.sql=de: there is no source gr.sql; name one of: '],
    [{ fillDown: 5 }, {}, 'error recipe.json › fillDown: is neither a text nor a list of texts'],
    [{ filldown: 'country' }, {}, 'error recipe.json: unknown key "filldown"; did you mean "fillDown"?'],
    [{ missing: 'n/a' }, {}, 'note --missing n/a: changed nothing in any file; leave it out'],
  ];
  it.each(some(IMPOSSIBLE, 1))(
    'that are wrong are reported with their place: %j %j',
    async (options, given, expected) => {
      expect((await read(options, given)).problems[0]).toContain(expected);
    },
  );
});
