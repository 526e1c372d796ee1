// Reads a workbook in the simplest way, as a second opinion: it builds whole trees, and accepts nothing but the standard.

import path from 'node:path/posix';
import type { Cell } from '../../../ingest/sources/readers/rawFile.ts';
import { attributeOf, NotPlain, parseXml, resolved, type XmlElement } from './plainXml.ts';
import type { Part } from './render.ts';
import type { Read } from './verdict.ts';

/** The sheets with their rows. Throws NotPlain for everything that does not follow the standard exactly. */
export function readPlainly(parts: readonly Part[]): Read {
  const keyOf = (name: string) => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();
  const byName = new Map(parts.map((part) => [keyOf(part.name), part.content]));
  const rootOf = (name: string, root: string): XmlElement => {
    const content = byName.get(keyOf(name));
    if (content === undefined) throw new NotPlain(`no part ${name}`);
    const found = parseXml(content);
    if (found.name !== root) throw new NotPlain(`<${found.name}> for <${root}>`);
    return found;
  };
  const related = (source: string) => {
    const folder = path.dirname(`/${source}`);
    const name = path.join(folder, '_rels', `${path.basename(source)}.rels`).slice(1);
    return only(rootOf(name, 'Relationships'), ['Relationship']).map((it) => ({
      id: attributeOf(it, 'Id') ?? '',
      type: attributeOf(it, 'Type')?.split('/').at(-1) ?? '',
      target: path.resolve(folder, attributeOf(it, 'Target')?.replaceAll('\\', '/') ?? '').slice(1),
    }));
  };
  const workbookName = related('').find(({ type }) => type === 'officeDocument')?.target ?? '';
  const workbook = rootOf(workbookName, 'workbook');
  const relations = related(workbookName);
  // A missing part is allowed, but a reference to a text or style of a missing part is not.
  const partOf = (type: string) =>
    relations.find((relation) => relation.type === type && byName.has(keyOf(relation.target)))?.target;
  const strings = partOf('sharedStrings');
  const styles = partOf('styles');
  const context: Context = {
    strings: strings === undefined ? [] : enough(rootOf(strings, 'sst'), 'uniqueCount', 'si').map(richText),
    kinds: styles === undefined ? [] : kindsOf(rootOf(styles, 'styleSheet')),
    date1904: /^(1|true)$/.test(attributeOf(all(workbook, 'workbookPr')[0] ?? workbook, 'date1904') ?? ''),
  };
  return all(one(workbook, 'sheets'), 'sheet').map((it) => {
    const relation = relations.find(({ id }) => id === attributeOf(it, 'id', true));
    const sheet = rootOf(relation?.target ?? '', 'worksheet');
    const state = attributeOf(it, 'state') ?? 'visible';
    if (!/^(visible|hidden|veryHidden)$/.test(state)) throw new NotPlain(`state ${state}`);
    return { name: attributeOf(it, 'name') ?? '', hidden: state !== 'visible', rows: rowsOf(sheet, context) };
  });
}

interface Context {
  readonly strings: readonly string[];
  readonly kinds: readonly ('number' | 'date' | 'year' | 'percent')[];
  readonly date1904: boolean;
}

function rowsOf(sheet: XmlElement, context: Context): Read[number]['rows'] {
  const rows: { row: number; cells: Cell[] }[] = [];
  let row = 0;
  for (const rowElement of only(one(sheet, 'sheetData'), ['row'])) {
    const written = attributeOf(rowElement, 'r');
    const next = written === undefined ? row + 1 : whole(written);
    if (next <= row || next > 1_048_576) throw new NotPlain(`row ${written}`);
    row = next;
    const cells: Cell[] = [];
    for (const cell of only(rowElement, ['c', 'extLst'])) {
      if (cell.name === 'extLst') continue;
      const unknown = cell.attributes.find(([name]) => !/^(r|s|t|cm|vm|ph|xmlns)$|:(?![rst]$)/.test(name));
      if (unknown !== undefined) throw new NotPlain(`attribute ${unknown[0]}`);
      const column = columnOf(attributeOf(cell, 'r'), row) ?? cells.length;
      if (column < cells.length || column >= 16_384) throw new NotPlain(`cell ${attributeOf(cell, 'r')}`);
      while (cells.length < column) cells.push(null);
      cells.push(cellIn(cell, context));
    }
    while (cells.length > 0 && cells.at(-1) === null) cells.pop();
    if (cells.length > 0) rows.push({ row, cells });
  }
  return rows;
}

function columnOf(reference: string | undefined, row: number): number | null {
  if (reference === undefined) return null;
  const [, letters = '', digits] = /^([A-Za-z]{1,3})(\d+)$/.exec(reference) ?? [];
  if (Number(digits) !== row) throw new NotPlain(`cell ${reference}`);
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellIn(cell: XmlElement, { strings, kinds, date1904 }: Context): Cell {
  const inside = only(cell, ['f', 'v', 'is', 'extLst']);
  for (const name of ['f', 'v', 'is']) if (all(cell, name).length > 1) throw new NotPlain(`<${name}> twice`);
  const [v] = all(cell, 'v');
  const [is] = all(cell, 'is');
  const type = attributeOf(cell, 't') ?? 'n';
  if (type === 'inlineStr' && v !== undefined && is === undefined)
    throw new NotPlain('<v> of an inline text');
  const style = whole(attributeOf(cell, 's') || '0');
  if (style > 0 && style >= kinds.length) throw new NotPlain(`style ${style}`);
  if (is !== undefined) {
    if (type !== 'inlineStr') throw new NotPlain('<is> of another type');
    return marked(richText(is));
  }
  const text = v === undefined ? '' : textIn(v);
  if (text === '') {
    if ((type === 's' ? v === undefined : /^[bed]$/.test(type)) && all(cell, 'f').length === 0)
      throw new NotPlain('no value');
    if (v !== undefined && type === 'str') return '';
    return inside.some(({ name }) => name === 'f') ? { kind: 'uncalculated' } : null;
  }
  switch (type) {
    case 's': {
      const string = strings[whole(trimmed(text))];
      if (string === undefined) throw new NotPlain(`text ${text}`);
      return marked(string);
    }
    case 'str':
      return marked(unescaped(text));
    case 'b':
      if (/^(0|1|true|false)$/.test(trimmed(text))) return /^(1|true)$/.test(trimmed(text));
      throw new NotPlain(`truth ${text}`);
    case 'e':
      return { kind: 'error', code: unescaped(text).trim() };
    case 'd': {
      const date = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d))?$/.exec(text);
      if (date === null) return unescaped(text);
      if (Number.isNaN(Date.parse(text))) throw new NotPlain(`date ${text}`);
      return { kind: 'date', iso: text.replace(/T00:00:00$/, '') };
    }
    case 'n':
      return numberOf(trimmed(text), kinds[style] ?? 'number', date1904);
    default:
      throw new NotPlain(`type ${type}`);
  }
}

function numberOf(text: string, kind: 'number' | 'date' | 'year' | 'percent', date1904: boolean): Cell {
  const value = Number(text);
  if (!/^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(text) || !Number.isFinite(value))
    throw new NotPlain(`number ${text}`);
  if (kind === 'number') return value;
  if (kind === 'percent') return { kind, value };
  // In the 1900 system, day 60 is 29 February 1900, which did not exist. The days before it are off by one.
  if (value < 0 || (!date1904 && value >= 60 && value < 61)) return noDate(value);
  const firstDay = date1904 ? 24_107 : value < 60 ? 25_568 : 25_569;
  const seconds = Math.round(value * 86_400) - firstDay * 86_400;
  if (seconds >= 253_402_300_800) return noDate(value);
  const [day = '', time = ''] = new Date(seconds * 1000).toISOString().slice(0, 19).split('T');
  if (kind === 'year' && value >= 1)
    return {
      kind: 'dated year',
      value: Number(day.slice(0, 4)),
      iso: time === '00:00:00' ? day : `${day}T${time}`,
    };
  const isTime = value < 1 && !(date1904 && value === 0);
  return { kind: 'date', iso: isTime ? `T${time}` : time === '00:00:00' ? day : `${day}T${time}` };
}

const noDate = (value: number): Cell => ({ kind: 'misshown', value, shown: '#####' });

/** The kinds of numbers that formats show. The ids of built-in formats are in ECMA-376 part 1, §18.8.30. */
function kindsOf(styles: XmlElement): Context['kinds'] {
  const codes = new Map<number, string>();
  for (const list of all(styles, 'numFmts'))
    for (const it of all(list, 'numFmt'))
      codes.set(
        whole(attributeOf(it, 'numFmtId') ?? ''),
        unescaped(attributeOf(it, 'formatCode') ?? missing('formatCode')),
      );
  return all(styles, 'cellXfs').flatMap((list) =>
    enough(list, 'count', 'xf').map((it) => {
      const id = whole(attributeOf(it, 'numFmtId') ?? '0');
      const code = codes.get(id);
      if (code === undefined) {
        if (id >= 164) throw new NotPlain(`number format ${id}`);
        if (id === 9 || id === 10) return 'percent';
        const dates = [14, 27, 45, 50].some((first, i) => id >= first && id <= ([22, 36, 47, 58][i] ?? 0));
        return dates ? 'date' : 'number';
      }
      if (/^yyyy?$/i.test(code)) return 'year';
      const shown = code.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '');
      return /[bdmyhs]|e(?![+-])/i.test(shown.replace(/general/gi, '')) || /\[(h|m|s)+\]/i.test(code)
        ? 'date'
        : shown.includes('%')
          ? 'percent'
          : 'number';
    }),
  );
}

/** The text of `<t>` and of runs, without phonetic guides. */
function richText(item: XmlElement): string {
  const runs = only(item, ['t', 'r', 'rPh', 'phoneticPr', 'extLst']);
  if (runs.slice(1).some(({ name }, i) => name === 't' && /^[tr]$/.test(runs[i]?.name ?? '')))
    throw new NotPlain('<t> after <t> or <r>');
  if (all(item, 't').length > 1) throw new NotPlain('<t> twice');
  for (const aside of runs.filter(({ name }) => name !== 't' && name !== 'r')) withoutCells(aside);
  return runs
    .map((child) => {
      if (child.name === 't') return unescaped(textIn(child));
      if (child.name !== 'r') return '';
      for (const looks of all(child, 'rPr')) {
        withoutCells(looks);
        if (all(looks, 't').length > 0) throw new NotPlain('<t> in <rPr>');
      }
      const inside = only(child, ['rPr', 't']).filter(({ name }) => name === 't');
      if (inside.length > 1) throw new NotPlain('<t> twice');
      return inside.map((t) => unescaped(textIn(t))).join('');
    })
    .join('');
}

/** Superscript and subscript characters are footnote marks. So are those that a wrong encoding makes of an emoji. */
function marked(text: string): Cell {
  const value = text.replace(RAISED, '');
  if (value === text || value.trim() === '') return text;
  const mark = (text.match(RAISED) ?? []).join('').normalize('NFKC');
  return { kind: 'footnoted', value, mark, text };
}

const RAISED = /[\u00b9\u00b2\u00b3\u2070-\u209c]/g;

const unescaped = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

const whole = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new NotPlain(`"${text}" is not a whole number`);
  return Number(text);
};

/** Throws when an element that is skipped has a cell, which would be lost. */
function withoutCells(aside: XmlElement): void {
  for (const child of aside.children) {
    if (typeof child === 'string') continue;
    if (/^(c|row|v|is|si)$/.test(child.name)) throw new NotPlain(`<${child.name}> in <${aside.name}>`);
    withoutCells(child);
  }
}

/** Removes the spaces that XML knows. Other spaces belong to a text. */
const trimmed = (text: string) => text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '');

function textIn(element: XmlElement): string {
  if (element.children.some((child) => typeof child !== 'string'))
    throw new NotPlain(`elements in <${element.name}>`);
  return resolved(element.children.join(''));
}

const all = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child): child is XmlElement => typeof child !== 'string' && child.name === name);

function missing(name: string): never {
  throw new NotPlain(`no ${name}`);
}

/** The children with this name. Throws when there are fewer than the attribute `count` declares. */
function enough(element: XmlElement, count: string, name: string): XmlElement[] {
  const items = all(element, name);
  const declared = attributeOf(element, count) ?? '';
  if (/^\d+$/.test(declared) && items.length < Number(declared)) throw new NotPlain(`too few <${name}>`);
  return items;
}

function one(element: XmlElement, name: string): XmlElement {
  const [found, second] = all(element, name);
  if (found === undefined || second !== undefined) throw new NotPlain(`not one <${name}>`);
  return found;
}

/** The child elements. Throws when a child has another name than these, or when there is text between children. */
function only(element: XmlElement, names: readonly string[]): XmlElement[] {
  return element.children.filter((child): child is XmlElement => {
    if (typeof child === 'string') {
      if (child.trim() !== '') throw new NotPlain(`text in <${element.name}>`);
      return false;
    }
    if (!names.includes(child.name)) throw new NotPlain(`<${child.name}> in <${element.name}>`);
    return true;
  });
}
