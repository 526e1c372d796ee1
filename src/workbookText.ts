// Escapes texts for the XML of workbooks.

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
