// Splits the value of a header at separators outside quotes. A regular expression would take seconds for some values.

/** The texts between separators. A quoted text may contain separators. A quote that is never closed is plain text. */
export function partsOf(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  // After a quote that is never closed, every quote has a backslash before it. None of them opens a quoted text, and a
  // search for the end of each would take quadratic time.
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
