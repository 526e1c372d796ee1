// Lets people copy negative figures into a spreadsheet as numbers.

const MINUS = /\u2212(?=\d)/g;

/**
 * Copies the selection with a hyphen in place of each minus sign. A spreadsheet reads a figure with U+2212 as a text,
 * and its sums silently leave the figure out.
 */
export function copyWithHyphens(event: ClipboardEvent): void {
  const selection = getSelection();
  const text = selection?.toString() ?? '';
  if (selection === null || event.clipboardData === null || text.search(MINUS) < 0) return;
  event.clipboardData.setData('text/plain', text.replace(MINUS, '-'));
  event.clipboardData.setData('text/html', htmlOf(selection).replace(MINUS, '-'));
  event.preventDefault();
}

/** The selected elements. Rows or cells alone are put into a table, because they are not valid outside a table. */
function htmlOf(selection: Selection): string {
  const parts = Array.from({ length: selection.rangeCount }, (_, i) => {
    const holder = document.createElement('div');
    holder.append(selection.getRangeAt(i).cloneContents());
    return holder;
  });
  return parts
    .map(({ innerHTML, firstElementChild }) =>
      /^(?:THEAD|TBODY|TR|TH|TD)$/.test(firstElementChild?.tagName ?? '')
        ? `<table>${innerHTML}</table>`
        : innerHTML,
    )
    .join('');
}
