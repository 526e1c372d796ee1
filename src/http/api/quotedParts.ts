// Splits a header's value at separators outside of quotes. A regular expression would take seconds for some values.

/** The texts between separators. A quoted text may contain separators; a quote that nothing closes is text like any other. */
export function partsOf(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  // After a quote that nothing closes, every further quote is escaped: none of them opens a quoted text.
  let isOpen = false;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === separator) {
      parts.push(text.slice(start, i));
      start = i + 1;
    } else if (text[i] === '"' && !isOpen) {
      const end = closingQuote(text, i + 1);
      isOpen = end < 0;
      if (!isOpen) i = end;
    }
  }
  return [...parts, text.slice(start)];
}

/** The position of the first quote without a backslash before it; -1 when there is none. */
function closingQuote(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '"') return i;
    if (text[i] === '\\') i++;
  }
  return -1;
}
