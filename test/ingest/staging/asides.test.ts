// Units outside the cells, where readers of cells do not look: comments, print headers, names, charts, metadata.

import { describe, expect, it } from '@jest/globals';
import { draftFault } from '../../../ingest/messages/draftFault.ts';
import { printedSections } from '../../../ingest/sources/readers/xlsx/worksheetMetadata.ts';
import { workbook } from '../../../ingest/workbook/workbook.ts';
import {
  partOf,
  relationshipsOf,
  relationshipsXml,
  SHEET_PART,
  workbookWith,
} from '../../support/handmadeZip.ts';
import { cellsOf, ownProblemsOf } from '../../support/month.ts';
import { odsCells, odsOf, odsRow } from '../../support/ods.ts';
import { problemsOfBooks, readCases } from '../../support/readCases.ts';
import { aRow, type Row } from '../../support/snapshot.ts';
import { parquetOf } from '../../support/testEngine.ts';

const plainOf = (own: Row) => workbook([{ name: 'Data', rows: cellsOf('ggr', [aRow('ggr', own)]) }]);
const plain = plainOf({});

/**
 * The plain workbook with XML after its rows. Its sheet refers to `parts` by these types, and other parts are added
 * by name.
 */
function withParts(
  behind: string,
  parts: Readonly<Record<string, string>> = {},
  others: Readonly<Record<string, string>> = {},
  own: Row = {},
): Buffer {
  const plain = plainOf(own);
  const sheet = partOf(plain, SHEET_PART);
  return workbookWith(
    {
      [SHEET_PART]: sheet.replace('</sheetData>', `</sheetData>${behind}`),
      ...relationshipsOf(...Object.keys(parts).map((type) => [type, `../${type}1.xml`] as const)),
      ...Object.fromEntries(Object.entries(parts).map(([type, xml]) => [`xl/${type}1.xml`, xml])),
      ...others,
    },
    plain,
  );
}

const commentOn = (ref: string, text: string) => ({
  comments: `<comments xmlns="http://m"><authors><author>Jane (USD m)</author></authors><commentList><comment ref="${ref}" authorId="0"><text><r><rPr><b/></rPr><t>Jane:</t></r><r><t xml:space="preserve">\n${text}</t></r></text></comment></commentList></comments>`,
});

const SCALE =
  'multiply them with --scale ggr.xlsx=ggr=1e3, or keep them as they are with --scale ggr.xlsx=ggr=1';

describe('a unit beside the cells of a workbook', () => {
  it('is an error in the comment of a heading, until --scale answers it', async () => {
    const book = (own: Row) => withParts('', commentOn('K1', 'EUR in thousands'), {}, own);
    expect(await problemsOfBooks([book], [book, 'ggr=1e3'], [book, 'ggr=1'])).toEqual([
      [
        `error ggr.xlsx › Data!K1: a comment says "Jane: EUR in thousands", so the figures may be in thousands; ${SCALE}`,
      ],
      [],
      [],
    ]);
  });

  it('is a warning in the comment of a figure, and a comment without one is a note', async () => {
    expect(
      await problemsOfBooks(
        [(own) => withParts('', commentOn('K2', 'EUR in thousands'), {}, own)],
        [(own) => withParts('', commentOn('K1', 'revised by 2 million'), {}, own)],
      ),
    ).toEqual([
      [
        `warning ggr.xlsx › Data!K2: a comment says "Jane: EUR in thousands", so the figures may be in thousands; ${SCALE}`,
      ],
      ['note ggr.xlsx › Data!K1: a comment says "Jane: revised by 2 million"'],
    ]);
  });

  it('is an error in a print header or footer, a text box and the message of a cell', async () => {
    const header =
      '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12EUR in thousands&amp;RPage &amp;P</oddHeader><oddFooter>&amp;CR&amp;&amp;D in €m</oddFooter></headerFooter>';
    const message =
      '<dataValidations count="1"><dataValidation sqref="K2:K9 L2" promptTitle="GGR" prompt="in EUR thousands"/></dataValidations>';
    const box =
      '<xdr:wsDr xmlns:xdr="http://x" xmlns:a="http://a"><xdr:sp><xdr:txBody><a:p><a:r><a:t>All</a:t></a:r></a:p><a:p><a:r><a:t>in EUR thou</a:t></a:r><a:r><a:t>sands</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>';
    expect(await ownProblemsOf({ 'ggr.xlsx': withParts(message + header, { drawing: box }) })).toEqual([
      `error ggr.xlsx › Data!K2: an input message says "GGR in EUR thousands", so the figures may be in thousands; ${SCALE}`,
      `error ggr.xlsx › Data: a print header says "EUR in thousands", so the figures may be in thousands; ${SCALE}`,
      `error ggr.xlsx › Data: a print footer says "R&D in €m", so the figures may be in millions; ${SCALE.replace('1e3', '1e6')}`,
      `error ggr.xlsx › Data: a text box says "All in EUR thousands", so the figures may be in thousands; ${SCALE}`,
    ]);
  });

  it('is an error in the name of a table, and a warning in the name of cells', async () => {
    const table = '<table xmlns="http://m" ref="A1:K2" displayName="tblGGR_EURk" headerRowCount="1"/>';
    const named = (range: string) => (own: Row) => {
      const part = 'xl/workbook.xml';
      const xml = partOf(plain, part);
      const names = `<definedNames><definedName name="GGR_EURk">${range}</definedName></definedNames>`;
      return withParts('', {}, { [part]: xml.replace('</workbook>', `${names}</workbook>`) }, own);
    };
    expect(
      await problemsOfBooks(
        [(own) => withParts('', { table }, {}, own)],
        [named('Data!$K$2:$K$9')],
        [named('Other!$K$2')],
      ),
    ).toEqual([
      [
        `error ggr.xlsx › Data!A1: a table name says "tblGGR_EURk", so the figures may be in thousands; ${SCALE}`,
      ],
      [
        `warning ggr.xlsx › Data: a defined name says "GGR_EURk", so the figures may be in thousands; ${SCALE}`,
      ],
      [],
    ]);
  });

  it('is an error in the name of a sheet or a file, whose words no spaces part', async () => {
    const rows = cellsOf('ggr', [aRow('ggr')]);
    expect(await ownProblemsOf({ 'ggr.xlsx': [{ name: 'GgrInThousands', rows }] })).toEqual([
      `error ggr.xlsx › GgrInThousands: "GgrInThousands" says that the figures are in thousands; ${SCALE}`,
    ]);
    expect(await ownProblemsOf({ 'ggr_eur_k.xlsx': [{ name: 'Data', rows }] })).toEqual([
      `error ggr_eur_k.xlsx › Data: "ggr_eur_k" says that the figures are in thousands; ${SCALE.replaceAll('ggr.xlsx', 'ggr_eur_k.xlsx')}`,
    ]);
    expect(await ownProblemsOf({ 'ggr_all_markets.xlsx': [{ name: 'GgrData_EUR', rows }] })).toEqual([]);
    expect(
      await ownProblemsOf({ 'ggr_all_m.xlsx': [{ name: 'top_m', rows: [['EUR thousands'], ...rows] }] }),
    ).toEqual([
      expect.stringContaining('error ggr_all_m.xlsx › top_m!A1: "EUR thousands" says'),
      expect.stringContaining('warning ggr_all_m.xlsx › top_m: "top_m" says'),
      expect.stringContaining('warning ggr_all_m.xlsx › top_m: "ggr_all_m" says'),
    ]);
    expect(await ownProblemsOf({ 'ggr_all_m.xlsx': [{ name: 'Data', rows }] })).toEqual([
      `warning ggr_all_m.xlsx › Data: "ggr_all_m" says that the figures are in millions; ${SCALE.replaceAll('ggr.xlsx', 'ggr_all_m.xlsx').replace('1e3', '1e6')}`,
    ]);
  });

  it('is an error in the number format of a conditional format over figures', async () => {
    const book = (sqref: string, format: string) => (own: Row) => {
      const part = 'xl/styles.xml';
      const xml = partOf(plain, part);
      const styles = `<dxfs count="2"><dxf><font><b/></font></dxf><dxf><numFmt numFmtId="200" formatCode="${format}"/></dxf></dxfs></styleSheet>`;
      const rule = `<conditionalFormatting sqref="${sqref}"><cfRule type="cellIs" dxfId="1" priority="1" operator="greaterThan"><formula>9</formula></cfRule></conditionalFormatting>`;
      return withParts(rule, {}, { [part]: xml.replace('</styleSheet>', styles) }, own);
    };
    expect(
      await problemsOfBooks(
        [book('A1:B9 J2:K9', '0.0&quot; k&quot;')],
        [book('K2', '0.0,&quot;m&quot;')],
        [book('K2', '0.0,,&quot;m&quot;')],
        [book('A1:J9', '0.0&quot; k&quot;')],
      ),
    ).toEqual([
      [
        `error ggr.xlsx › Data!K2: a conditional format says "k", so the figures may be in thousands; ${SCALE}`,
      ],
      [
        `error ggr.xlsx › Data!K2: a conditional format says "m", so the figures may be in thousands; ${SCALE}`,
      ],
      [],
      [],
    ]);
  });

  it('is a warning in the title of a chart and in a property of the document', async () => {
    const parts = {
      'xl/_rels/drawing1.xml.rels': relationshipsXml([['chart', 'chart1.xml']]),
      'xl/chart1.xml':
        '<c:chartSpace xmlns:c="http://c" xmlns:a="http://a"><c:chart><c:title><c:tx><c:strRef><c:f>Data!$K$1</c:f><c:strCache><c:pt><c:v>EUR thousands</c:v></c:pt></c:strCache></c:strRef></c:tx></c:title></c:chart></c:chartSpace>',
      'docProps/core.xml':
        '<cp:coreProperties xmlns:cp="http://p" xmlns:dc="http://d"><dc:title>GGR, €m</dc:title><dc:creator>in millions</dc:creator></cp:coreProperties>',
      '_rels/.rels': partOf(plain, '_rels/.rels').replace(
        '</Relationships>',
        '<Relationship Id="core" Type="http://x/core-properties" Target="docProps/core.xml"/></Relationships>',
      ),
    };
    const book = (own: Row) => withParts('', { drawing: '<xdr:wsDr xmlns:xdr="http://x"/>' }, parts, own);
    expect(await problemsOfBooks([book], [book, 'ggr=1'])).toEqual([
      [
        `warning ggr.xlsx › Data: a chart title says "Data!$K$1 EUR thousands", so the figures may be in thousands; ${SCALE}`,
        `warning ggr.xlsx › Data: a document property says "GGR, €m", so the figures may be in millions; ${SCALE.replace('1e3', '1e6')}`,
      ],
      [],
    ]);
  });

  it('is found in an .ods file, in the comment of an empty cell and in the header of its pages', async () => {
    const [heading = [], first = []] = cellsOf('ggr', [aRow('ggr')]);
    const title =
      '<table:table-cell><office:annotation><dc:creator>EUR m</dc:creator><text:p>EUR</text:p><text:p>in thousands</text:p></office:annotation></table:table-cell>';
    const styles =
      '<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:master-styles><style:master-page><style:header><style:region-left><text:p>GGR in €m</text:p></style:region-left></style:header></style:master-page></office:master-styles></office:document-styles>';
    const sheet = `<table:table table:name="Data">${odsRow(title)}${odsCells(...heading)}${odsCells(...first)}</table:table>`;
    const file = odsOf(sheet, '', [{ name: 'styles.xml', content: styles }]);
    expect(await ownProblemsOf({ 'ggr.ods': file })).toEqual([
      `error ggr.ods › Data: a print header says "GGR in €m", so the figures may be in millions; ${SCALE.replaceAll('xlsx', 'ods').replace('1e3', '1e6')}`,
      `error ggr.ods › Data!A1: a comment says "EUR in thousands", so the figures may be in thousands; ${SCALE.replaceAll('xlsx', 'ods')}`,
    ]);
  });
});

const selectOf = ({ sub_channel = 'Onshore' }: Row): string =>
  `SELECT 2024 AS year, 'Europe' AS region, 'Malta' AS country, '' AS state, 'Betting' AS category, 'Poker' AS product,
     'Online' AS channel, '${sub_channel}' AS sub_channel, 'EUR' AS fx, 'Current' AS temporal, 404 AS ggr`;

/** The schema of the columns ggr, with the metadata `unit: EUR m`, and year, as pyarrow 26 writes it. */
const PYARROW_SCHEMA =
  '//////gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAABkAAAAFAAAABAAFAAIAAYABwAMAAAAEAAQAAAAAAABAhAAAAAgAAAABAAAAAAAAAAEAAAAeWVhcgAAAAAIAA4ACAAHAAgAAAAAAAABQAAAAAAAEgAYAAgABgAHAAwAAAAQABQAEgAAAAAAAQMUAAAAUAAAAAgAAAAQAAAAAAAAAAMAAABnZ3IAAQAAAAwAAAAIAAwABAAIAAgAAAAUAAAABAAAAAUAAABFVVIgbQAAAAQAAAB1bml0AAAGAAgABgAGAAAAAAACAA==';

describe('a unit beside the cells of other files', () => {
  it('is found in a shape of an .ods sheet', async () => {
    const texts = cellsOf('ggr').map((row) => odsCells(...row));
    const shapes =
      '<table:shapes><draw:frame><draw:text-box><text:p>EUR</text:p><text:p>in thousands</text:p></draw:text-box></draw:frame></table:shapes>';
    const sheet = `<table:table table:name="Data">${shapes}${texts.join('')}</table:table>`;
    expect(await ownProblemsOf({ 'ggr.ods': odsOf(sheet) })).toEqual([
      `error ggr.ods › Data: a text box says "EUR in thousands", so the figures may be in thousands; ${SCALE.replaceAll('xlsx', 'ods')}`,
    ]);
  });

  it('is found in the names of ranges of an .ods sheet', async () => {
    const rows = cellsOf('ggr').map((row) => odsCells(...row));
    const names =
      '<table:named-expressions><table:named-range table:name="GGR_EURk" table:cell-range-address="$Data.$K$2:.$K$9"/><table:named-range table:name="x_EURk" table:cell-range-address="$Other.$K$2"/></table:named-expressions>' +
      '<table:database-ranges><table:database-range table:name="tblGGR_EURk" table:target-range-address="Data.A1:Data.K9"/></table:database-ranges>';
    const sheet = `<table:table table:name="Data">${rows.join('')}</table:table>`;
    const scale = SCALE.replaceAll('xlsx', 'ods');
    expect(await ownProblemsOf({ 'ggr.ods': odsOf(sheet + names) })).toEqual([
      `error ggr.ods › Data: a table name says "tblGGR_EURk", so the figures may be in thousands; ${scale}`,
      `warning ggr.ods › Data: a defined name says "GGR_EURk", so the figures may be in thousands; ${scale}`,
    ]);
  });

  it('is found in the metadata of a Parquet file', async () => {
    const parquet = (own: Row, unit: string) =>
      parquetOf(selectOf(own), `, KV_METADATA {'ggr.unit': '${unit}', source: 'in thousands'}`);
    const [stated, none] = await readCases([
      ['ggr.parquet', (own) => parquet(own, 'EUR thousands')],
      ['ggr.parquet', (own) => parquet(own, 'currency of the fx dimension')],
    ]);
    expect(stated?.problems).toEqual([
      `error ggr.parquet: a unit in its metadata says "EUR thousands", so the figures may be in thousands; ${SCALE.replaceAll('xlsx', 'parquet')}`,
    ]);
    expect(none?.problems).toEqual([]);
  });

  it('is found in the metadata that pyarrow and pandas write', async () => {
    const parquet = (metadata: string) => async (own: Row) =>
      parquetOf(selectOf(own), `, KV_METADATA {${metadata}}`);
    const problem = `error ggr.parquet: a unit in its metadata says "EUR m", so the figures may be in millions; ${SCALE.replaceAll('xlsx', 'parquet').replace('1e3', '1e6')}`;
    const attributes = JSON.stringify({ unit: 'EUR m', source: 'in thousands' });
    const damaged = `//////gA${PYARROW_SCHEMA.slice(8, 40)}`;
    const all = [
      `PANDAS_ATTRS: '${attributes}'`,
      ...[PYARROW_SCHEMA, '', 'AAAA', damaged].map((schema) => `"ARROW:schema": '${schema}'`),
    ];
    const found = await readCases(all.map((metadata) => ['ggr.parquet', parquet(metadata)]));
    expect(found.map(({ problems }) => problems)).toEqual([[problem], [problem], [], [], []]);
  });
});

describe('a text which says that the figures do not count', () => {
  it('is a warning in a print header or footer and a text box', async () => {
    const header =
      '<headerFooter><oddHeader>&amp;C&amp;"Arial,Bold"&amp;12DRAFT</oddHeader><oddFooter>&amp;LDraft Gambling Act&amp;RPage &amp;P</oddFooter></headerFooter>';
    const box =
      '<xdr:wsDr xmlns:xdr="http://x" xmlns:a="http://a"><xdr:sp><xdr:txBody><a:p><a:r><a:t>Do not use</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>';
    const says =
      'says that the figures do not count, and they were read like all others; delete it if they count, else move the table away';
    expect(await ownProblemsOf({ 'ggr.xlsx': withParts(header, { drawing: box }) })).toEqual([
      `warning ggr.xlsx › Data: the print header "DRAFT" ${says}`,
      `warning ggr.xlsx › Data: the text box "Do not use" ${says}`,
    ]);
  });
});

describe('a text which says that rows are missing', () => {
  it('is a warning, also below the data', async () => {
    const header = '<headerFooter><oddFooter>Results truncated</oddFooter></headerFooter>';
    const says = 'says that rows are missing; export all rows again, or delete the text if none is missing';
    expect(await ownProblemsOf({ 'ggr.xlsx': withParts(header) })).toEqual([
      `warning ggr.xlsx › Data: the print footer "Results truncated" ${says}`,
    ]);
    for (const text of [
      'Exported data exceeded the allowed volume. Some data may have been omitted.',
      '# ℹ 7,648 more rows',
      'Only the first 150000 rows are shown',
      'Showing 1 to 100 of 2,345 entries',
    ])
      expect(draftFault(text)?.problem).toBe(`"${text}" says that rows are missing`);
    for (const text of [
      '(7658 rows affected)',
      'First 6 months of 2024',
      'Data omitted for reasons of secrecy',
    ])
      expect(draftFault(text)).toBeNull();
  });
});

describe('the codes of a print header', () => {
  it.each([
    ['&CEUR in thousands', ['', 'EUR in thousands']],
    ['&L&"Arial,Bold"&12&K00FF00GGR&CR&&D&RPage &P+1 of &N', ['', '   GGR', 'R&D', 'Page   of  ']],
    ['A&&CB', ['A&CB']],
    ['&&&CB', ['&', 'B']],
  ])('%s shows %j', (code, sections) => {
    expect(printedSections(code)).toEqual(sections);
  });
});

it('units beside the cells of an .ods workbook are found: of an input message, a property and the title of a chart', async () => {
  const rows = cellsOf('ggr').map((row) => odsCells(...row));
  const validation =
    '<table:content-validations><table:content-validation table:base-cell-address="$Data.$K$2"><table:help-message table:title="GGR"><text:p>in EUR thousands</text:p></table:help-message></table:content-validation></table:content-validations>';
  const frames = [1, 2].map((n) => `<draw:frame><draw:object xlink:href="./Object ${n}"/></draw:frame>`);
  const sheet = `<table:table table:name="Data"><table:shapes>${frames.join('')}</table:shapes>${rows.join('')}</table:table>`;
  const meta =
    '<office:document-meta><office:meta><dc:title>GGR, €m</dc:title></office:meta></office:document-meta>';
  const chart =
    '<office:document-content><chart:title><text:p>GGR</text:p><text:p>in EUR k</text:p></chart:title></office:document-content>';
  const parts = [
    { name: 'meta.xml', content: meta },
    { name: 'Object 1/content.xml', content: chart },
    { name: 'Object 2/content.xml', content: '<math/>' },
  ];
  expect((await ownProblemsOf({ 'ggr.ods': odsOf(`${validation}${sheet}`, '', parts) })).sort()).toEqual([
    expect.stringMatching(
      /^error ggr\.ods › Data!K2: an input message says "GGR in EUR thousands", so the figures may be/,
    ),
    expect.stringMatching(/^warning ggr\.ods › Data: a chart title says "GGR in EUR k"/),
    expect.stringMatching(/^warning ggr\.ods › Data: a document property says "GGR, €m"/),
  ]);
});
