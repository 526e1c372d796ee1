// The parts that every .xlsx workbook has: its namespaces, its list of parts, and texts as XML (ECMA-376).

/** The first line of each part. */
export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The namespace of the elements of workbooks, sheets, styles and shared strings. */
export const SPREADSHEET_ML = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
/** The namespace of references from one part to another. */
export const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The content of `[Content_Types].xml`, for sheets named `sheet1.xml` and so on. */
export function contentTypes(sheetCount: number, hasSharedStrings: boolean): string {
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${CONTENT_TYPE}.${type}+xml"/>`;
  return (
    `<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    part('workbook', 'sheet.main') +
    Array.from({ length: sheetCount }, (_, i) => part(`worksheets/sheet${i + 1}`, 'worksheet')).join('') +
    part('styles', 'styles') +
    (hasSharedStrings ? part('sharedStrings', 'sharedStrings') : '') +
    '</Types>'
  );
}

/** The content of a `.rels` part. The first target has the id `rId1`, and so on. */
export function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

/**
 * Escapes a text for XML. A character that XML does not allow becomes `_xHHHH_` (ECMA-376 §22.9.2.19). In a text that
 * already has this form, the first underscore is escaped.
 */
export function workbookText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(FORBIDDEN, (c) => `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? mark);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids or would change.
const FORBIDDEN = /[\x00-\x08\x0B-\x1F\uFFFE\uFFFF]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: most texts have none of these characters, so they are not copied.
const SPECIAL = /[&<>"_\x00-\x08\x0B-\x1F\uFFFE\uFFFF]/;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
