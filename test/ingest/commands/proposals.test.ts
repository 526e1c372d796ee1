// `inspect` proposes what would make a refused file readable.

import { describe, expect, it } from '@jest/globals';
import { inspectFile } from '../../../ingest/commands/inspectFile.ts';
import { csvOf } from '../../support/month.ts';
import { aRow } from '../../support/snapshot.ts';
import { withFile } from '../../support/sourceFile.ts';

const inspected = (name: string, content: string) =>
  withFile(name, content, async (file) => (await inspectFile(file, name)).text);

describe('inspect', () => {
  it('proposes options, once for each kind of error', async () => {
    const rows = ['n/a', '1,234', '2,345'].map((ggr, i) => aRow('ggr', { year: 2020 + i, ggr }));
    const text = await inspected('ggr.csv', csvOf('ggr', rows));
    expect(text).toContain('A publish would refuse it');
    expect(text).toContain('say --numbers ggr.csv=de (or en)');
    expect(text).toContain('say --missing ggr.csv=n/a');
    expect(text.match(/--numbers/g)).toHaveLength(1);
  });

  it('proposes a recipe where the columns are not ours', async () => {
    const text = await inspected('ggr.csv', 'Jahr,Land,Region,Produkt,GGR\n2024,Malta,Europe,Poker,5\n');
    expect(text).toContain('recipe.json');
    expect(text).toContain('"Region" AS region');
    expect(text).toContain('"GGR"::DOUBLE AS ggr');
  });

  it('proposes nothing for a file that reads right', async () => {
    expect(await inspected('ggr.csv', csvOf('ggr'))).not.toContain('refuse');
  });
});
