// Writes a model as a workbook, as spreadsheet programs do or in any other form with the same meaning.

import path from 'node:path/posix';
import { columnLetters } from '../../../ingest/messages/place.ts';
import { serialFromIso } from '../../../ingest/sources/readers/dates.ts';
import type { Cell } from '../../../ingest/sources/readers/rawFile.ts';
import type { Model, ModelSheet } from './model.ts';
import type { Random } from './random.ts';
import { aDress, type Dress, type Element, type Encoding, element, encoded, written } from './xmlText.ts';

export interface Part {
  readonly name: string;
  readonly content: Buffer;
}

/** The parts of a workbook with this model, in the form that spreadsheet programs use. */
export const conventional = (model: Model, random: Random): Part[] =>
  new Rendering(random, {
    dress: () => null,
    encoding: () => 'utf-8',
    folder: 'xl',
    strings: random.chance(0.8) ? 'shared' : 'inline',
    date1904: random.chance(0.2),
    strict: false,
    isPlain: true,
  }).parts(model);

/** The parts of a workbook with this model, in any allowed form. */
export function dressed(model: Model, random: Random): Part[] {
  const rendering = new Rendering(random, {
    dress: () => aDress(random),
    encoding: () => random.weighted<Encoding>(ENCODING_WEIGHTS),
    folder: random.pick(['xl', 'xl', 'content', 'a b/c']),
    strings: random.pick(['shared', 'inline', 'mixed']),
    date1904: random.chance(0.3),
    strict: random.chance(0.3),
    isPlain: false,
  });
  return random.shuffled(rendering.parts(model));
}

const ENCODING_WEIGHTS: readonly (readonly [number, Encoding])[] = [
  [6, 'utf-8'],
  [2, 'bare'],
  [2, 'marked'],
  [1, 'utf-16le'],
  [1, 'utf-16be'],
  [1, 'unmarked utf-16le'],
  [1, 'latin1'],
  [1, 'ascii'],
];

interface Form {
  readonly dress: () => Dress | null;
  readonly encoding: () => Encoding;
  readonly folder: string;
  readonly strings: 'shared' | 'inline' | 'mixed';
  readonly date1904: boolean;
  readonly strict: boolean;
  readonly isPlain: boolean;
}

const MAIN = [
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
];
const OFFICE = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
];
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** Cell styles by their index, and what each makes of a number. */
const STYLES = [
  { kind: 'number', format: 0 },
  { kind: 'date', format: 14 },
  { kind: 'date', format: 164, code: 'yyyy-mm-dd hh:mm:ss' },
  { kind: 'percent', format: 9 },
  { kind: 'percent', format: 165, code: '0.0%;[Red]-0.0%' },
  { kind: 'number', format: 166, code: '"days" #,##0.00' },
  { kind: 'number', format: 4 },
  { kind: 'date', format: 167, code: '[$-409]d mmm yyyy;@' },
] as const;

class Rendering {
  readonly #random: Random;
  readonly #form: Form;
  readonly #strings: string[] = [];
  readonly #indexes = new Map<string, number>();

  constructor(random: Random, form: Form) {
    this.#random = random;
    this.#form = form;
  }

  parts(model: Model): Part[] {
    const { folder, strict } = this.#form;
    const place = (name: string) => path.join(folder, name);
    const sheetName = (i: number) => `worksheets/sheet${i + 1}.xml`;
    const office = OFFICE[strict ? 1 : 0] ?? '';
    const related = (types: readonly (readonly [id: string, type: string, target: string])[]) =>
      element(
        'Relationships',
        [['xmlns', `${PACKAGE}/relationships`]],
        types.map(([id, type, target]) =>
          element('Relationship', [
            ['Id', id],
            ['Type', `${office}/${type}`],
            ['Target', target],
          ]),
        ),
      );
    const sheets = model.map((sheet, i) => this.#part(place(sheetName(i)), this.#sheet(sheet)));
    return [
      this.#part('[Content_Types].xml', contentTypes(model.length, folder)),
      this.#part('_rels/.rels', related([['rId1', 'officeDocument', place('workbook.xml')]])),
      this.#part(place('workbook.xml'), this.#workbook(model)),
      this.#part(
        place('_rels/workbook.xml.rels'),
        related([
          ...model.map((_, i) => [`rId${i + 1}`, 'worksheet', sheetName(i)] as const),
          ['styles', 'styles', this.#form.isPlain ? 'styles.xml' : `/${place('styles.xml')}`],
          ['strings', 'sharedStrings', 'sharedStrings.xml'],
        ]),
      ),
      ...sheets,
      this.#part(place('styles.xml'), this.#styles()),
      this.#part(place('sharedStrings.xml'), this.#sharedStrings()),
    ];
  }

  #part(name: string, root: Element): Part {
    const encoding = this.#form.encoding();
    const dress = this.#form.dress();
    // Encodings with few characters need character references, which are plain text in CDATA sections. So they get no
    // CDATA.
    const fitting = dress && ['latin1', 'ascii'].includes(encoding) ? { ...dress, entities: false } : dress;
    const prefix = fitting?.prefix ?? '';
    const main =
      name.endsWith('.rels') || name.startsWith('[') ? null : (MAIN[this.#form.strict ? 1 : 0] ?? '');
    const xmlns = `xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}`;
    const attributes = root.attributes.map(([key, value]) => [key === 'xmlns' ? xmlns : key, value] as const);
    const whole = {
      ...root,
      attributes: main === null ? attributes : [[xmlns, main] as const, ...attributes],
    };
    return { name, content: encoded(written(whole, fitting), encoding) };
  }

  #workbook(model: Model): Element {
    const { date1904, strict, isPlain } = this.#form;
    const sheets = model.map(({ name, hidden }, i) =>
      element('sheet', [
        ['name', name],
        ['sheetId', `${i + 1}`],
        ...(hidden ? [['state', this.#random.pick(['hidden', 'veryHidden'])] as const] : []),
        ['r:id', `rId${i + 1}`],
      ]),
    );
    return element(
      'workbook',
      [['xmlns:r', OFFICE[strict ? 1 : 0] ?? '']],
      [
        element('workbookPr', date1904 ? [['date1904', isPlain ? '1' : 'true']] : []),
        element('bookViews', [], [element('workbookView', [['activeTab', '0']])]),
        element('sheets', [], sheets),
        element('calcPr', [['calcId', '191029']]),
      ],
    );
  }

  #sheet(sheet: ModelSheet): Element {
    const random = this.#random;
    const { isPlain } = this.#form;
    const width = Math.max(1, ...sheet.rows.map(({ cells }) => cells.length));
    const last = sheet.rows.at(-1)?.row ?? 1;
    const truth = `A1:${columnLetters(width - 1)}${last}`;
    const dimension = isPlain ? truth : random.pick([truth, 'A1', 'B7:ZZ1000000', '']);
    const rows: Element[] = [];
    let before = 0;
    for (const { row, cells } of sheet.rows) {
      if (!isPlain && random.chance(0.1) && row > before + 1)
        rows.push(element('row', [['r', `${row - 1}`]]));
      const mayCount = !isPlain && row === before + 1 && random.chance(0.3);
      const spans = isPlain ? `1:${width}` : random.pick([`1:${width}`, '1:1', '7:3', 'x', null]);
      rows.push(
        element(
          'row',
          [
            ...(mayCount ? [] : [['r', `${row}`] as const]),
            ...(spans === null ? [] : [['spans', spans] as const]),
            ...(random.chance(0.1) ? [['hidden', '1'] as const] : []),
          ],
          this.#cells(row, cells),
        ),
      );
      before = row;
    }
    return element(
      'worksheet',
      [],
      [
        ...(dimension === '' ? [] : [element('dimension', [['ref', dimension]])]),
        element('sheetViews', [], [element('sheetView', [['workbookViewId', '0']])]),
        element('sheetFormatPr', [['defaultRowHeight', '15']]),
        element('sheetData', [], rows),
        ...(sheet.merged.length > 0
          ? [
              element(
                'mergeCells',
                [['count', '1']],
                sheet.merged.map((ref) => element('mergeCell', [['ref', ref]])),
              ),
            ]
          : []),
        element('pageMargins', [['left', '0.7']]),
        ...(isPlain ? [] : [EXTENSIONS]),
      ],
    );
  }

  #cells(row: number, cells: readonly Cell[]): Element[] {
    const random = this.#random;
    const { isPlain } = this.#form;
    let gap = false;
    return cells.flatMap((cell, column) => {
      if (cell === null) {
        // An empty cell may be written nevertheless, for example for its style.
        const stands = random.chance(0.5);
        gap ||= !stands;
        if (!stands) return [];
      }
      const place =
        isPlain || gap || random.chance(0.7) ? [['r', `${columnLetters(column)}${row}`] as const] : [];
      gap = false;
      if (cell === null) return [element('c', [...place, ['s', '1']])];
      const { type, style, children } = this.#content(cell);
      const written = type === 'n' && (isPlain || random.chance(0.7)) ? [] : [['t', type] as const];
      const styled = style > 0 || (!isPlain && random.chance(0.3)) ? [['s', `${style}`] as const] : [];
      const extension = !isPlain && random.chance(0.05) ? [EXTENSIONS] : [];
      return [element('c', [...place, ...styled, ...written], [...children, ...extension])];
    });
  }

  #content(cell: Exclude<Cell, null>): { type: string; style: number; children: Element[] } {
    const random = this.#random;
    const { isPlain, date1904 } = this.#form;
    const formula = random.chance(0.1) ? [element('f', [], ['SUM(A1:A2)&"<"'])] : [];
    const v = (value: string) => [...formula, element('v', [], [value])];
    const styleOf = (kind: string) =>
      random.pick(STYLES.flatMap((style, i) => (style.kind === kind ? [i] : [])));
    if (typeof cell === 'string') return this.#text(cell, formula);
    if (typeof cell === 'number')
      return {
        type: 'n',
        style: random.chance(0.7) ? 0 : styleOf('number'),
        children: v(this.#number(cell)),
      };
    if (typeof cell === 'boolean')
      return { type: 'b', style: 0, children: v(cell ? (isPlain ? '1' : random.pick(['1', 'true'])) : '0') };
    switch (cell.kind) {
      case 'date':
        return !isPlain && random.chance(0.3)
          ? { type: 'd', style: styleOf('date'), children: v(cell.iso) }
          : { type: 'n', style: styleOf('date'), children: v(String(serialFromIso(cell.iso, date1904))) };
      case 'percent':
        return { type: 'n', style: styleOf('percent'), children: v(this.#number(cell.value)) };
      case 'error':
        return { type: 'e', style: 0, children: v(cell.code) };
      case 'uncalculated':
        return {
          type: 'n',
          style: 0,
          children: [element('f', [], ['A1+1']), ...(isPlain ? [] : [element('v')])],
        };
      case 'footnoted':
        return this.#text(cell.text, formula);
      case 'with unit':
      case 'divided':
      case 'with currency':
      case 'dated year':
      case 'marked year':
      case 'misshown':
        throw new Error('no table is rendered with words in its formats');
    }
  }

  #text(text: string, formula: readonly Element[]): { type: string; style: number; children: Element[] } {
    const random = this.#random;
    const { strings } = this.#form;
    if (formula.length > 0)
      return { type: 'str', style: 0, children: [...formula, element('v', [], [escaped(text)])] };
    const shared = strings === 'mixed' ? random.chance(0.5) : strings === 'shared';
    if (!shared) return { type: 'inlineStr', style: 0, children: [element('is', [], this.#runs(text))] };
    let index = this.#indexes.get(text);
    // The table may have the same text twice.
    if (index === undefined || random.chance(0.1)) {
      index = this.#strings.push(text) - 1;
      this.#indexes.set(text, index);
    }
    return { type: 's', style: 0, children: [element('v', [], [`${index}`])] };
  }

  /** The text as a whole, or in runs of different fonts with a guide to its pronunciation. */
  #runs(text: string): Element[] {
    const random = this.#random;
    const t = (of: string) => element('t', [['xml:space', 'preserve']], of === '' ? [] : [of]);
    const whole = escaped(text);
    if (!random.chance(0.25)) return [t(whole)];
    // A run must not end within an escape such as _x000A_.
    const characters = [...whole];
    const at = whole.includes('_x') ? characters.length : random.below(characters.length + 1);
    const run = (of: string) => element('r', [], [element('rPr', [], [element('b')]), t(of)]);
    const guide = element(
      'rPh',
      [
        ['sb', '0'],
        ['eb', '1'],
      ],
      [t('guide')],
    );
    return [
      run(characters.slice(0, at).join('')),
      run(characters.slice(at).join('')),
      ...(random.chance(0.5) ? [guide] : []),
    ];
  }

  #sharedStrings(): Element {
    const items = this.#strings.map((text) => element('si', [], this.#runs(text)));
    return element(
      'sst',
      [
        ['count', '7'],
        ['uniqueCount', `${items.length}`],
      ],
      items,
    );
  }

  #styles(): Element {
    const formats = STYLES.flatMap((style) =>
      'code' in style
        ? [
            element('numFmt', [
              ['numFmtId', `${style.format}`],
              ['formatCode', style.code],
            ]),
          ]
        : [],
    );
    const xf = (format: number) =>
      element('xf', [
        ['numFmtId', `${format}`],
        ['fontId', '0'],
      ]);
    return element(
      'styleSheet',
      [],
      [
        element('numFmts', [['count', `${formats.length}`]], formats),
        element('fonts', [], [element('font', [], [element('sz', [['val', '11']])])]),
        element('cellStyleXfs', [], [xf(14)]),
        element(
          'cellXfs',
          [['count', `${STYLES.length}`]],
          STYLES.map(({ format }) => xf(format)),
        ),
        element(
          'dxfs',
          [],
          [
            element(
              'dxf',
              [],
              [
                element('numFmt', [
                  ['numFmtId', '164'],
                  ['formatCode', '0'],
                ]),
              ],
            ),
          ],
        ),
      ],
    );
  }

  #number(value: number): string {
    const plain = String(value);
    if (this.#form.isPlain || plain.includes('e')) return plain;
    return this.#random.pick([
      plain,
      plain,
      value.toExponential(),
      plain.includes('.') ? `${plain}000` : `${plain}.0`,
      ` ${plain} `,
      value >= 0 ? `00${plain}` : plain,
    ]);
  }
}

/** Escapes characters that XML cannot hold, and texts that look like such escapes (ECMA-376 part 1, §22.9.2.19). */
const escaped = (text: string) => text.replaceAll('_x0041_', '_x005F_x0041_').replaceAll('\t', '_x0009_');

/** Extensions have elements with the same names and another meaning. */
const EXTENSIONS = element(
  'extLst',
  [],
  [
    element(
      'ext',
      [['uri', '{0}']],
      [element('v', [], ['7']), element('c', [['r', 'A1']], [element('v', [], ['8'])])],
    ),
  ],
);

function contentTypes(sheets: number, folder: string): Element {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const override = (name: string, kind: string) =>
    element('Override', [
      ['PartName', `/${folder}/${name}`],
      ['ContentType', `${type}.${kind}+xml`],
    ]);
  return element(
    'Types',
    [['xmlns', `${PACKAGE}/content-types`]],
    [
      element('Default', [
        ['Extension', 'rels'],
        ['ContentType', 'application/vnd.openxmlformats-package.relationships+xml'],
      ]),
      element('Default', [
        ['Extension', 'xml'],
        ['ContentType', 'application/xml'],
      ]),
      override('workbook.xml', 'sheet.main'),
      ...Array.from({ length: sheets }, (_, i) => override(`worksheets/sheet${i + 1}.xml`, 'worksheet')),
      override('styles.xml', 'styles'),
      override('sharedStrings.xml', 'sharedStrings'),
    ],
  );
}
