// The script of a report's page: it searches the tables and saves each as a CSV file.
// All text can be read without the script.

/** The script neither loads nor stores anything. The policy of the page allows it by its hash. */
export const PAGE_SCRIPT = `
'use strict';
(() => {
  const plain = (text) => text.normalize('NFD').replace(/[\\u0300-\\u036f]/g, '').toLowerCase();
  // In a CSV file, semicolons separate the entries of a list, and several findings.
  const cellText = (cell) => {
    if (cell.dataset.v !== undefined) return cell.dataset.v;
    const copy = cell.cloneNode(true);
    for (const part of copy.querySelectorAll('li, div + div')) part.prepend('; ');
    return copy.textContent.replace(/\\s+/g, ' ').trim();
  };
  const NUMBER = /^[+\\u2212-]?[\\d,]+(\\.\\d+)?$/;
  const csvCell = (cell) => {
    let text = cellText(cell);
    if (cell.classList.contains('n') && NUMBER.test(text)) return text.replace(/,/g, '').replace('\\u2212', '-').replace('+', '');
    // A spreadsheet would run a text that begins like this as a formula.
    if (/^[=+@\\t-]/.test(text) && !(cell.dataset.v && Number.isFinite(Number(text)))) text = "'" + text;
    return /[",\\r\\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  };
  const csvOf = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const columns = heads.flatMap((cell, i) => (cell.textContent === '' ? [] : [i]));
    const rows = [table.tHead.rows[0], ...table.tBodies[0].rows];
    return rows.map((row) => columns.map((i) => csvCell(row.cells[i])).join(',')).join('\\r\\n') + '\\r\\n';
  };
  const slug = (text) => plain(text).replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 60);
  const name = document.querySelector('h1').textContent.trim();
  const tables = [...document.querySelectorAll('.wide > table')];
  for (const table of tables) {
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    for (const row of table.tBodies[0].rows)
      for (let i = 1; i < row.cells.length; i += 1) if (heads[i]) row.cells[i].dataset.h = heads[i];
    const label = table.parentElement.getAttribute('aria-label');
    const button = document.createElement('button');
    button.type = 'button'; button.className = 'csv'; button.textContent = 'CSV';
    button.setAttribute('aria-label', 'Download ' + label + ' as CSV');
    button.addEventListener('click', () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['\\ufeff' + csvOf(table)], { type: 'text/csv' }));
      link.download = name + '-' + slug(label) + '.csv';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
    table.parentElement.before(button);
  }
  // A spreadsheet reads a figure with the minus sign U+2212 as a text, and its sums leave it out.
  document.addEventListener('copy', (event) => {
    const MINUS = /\\u2212(?=\\d)/g;
    const selection = getSelection();
    if (selection.toString().search(MINUS) < 0) return;
    const parts = document.createDocumentFragment();
    for (let i = 0; i < selection.rangeCount; i += 1) parts.append(selection.getRangeAt(i).cloneContents());
    // Rows alone mean nothing outside of a table.
    const isRows = /^T(BODY|R|D|H|HEAD)$/.test(parts.firstElementChild?.tagName ?? '');
    const holder = document.createElement(isRows ? 'table' : 'div');
    holder.append(parts);
    event.clipboardData.setData('text/plain', selection.toString().replace(MINUS, '-'));
    event.clipboardData.setData('text/html', holder.outerHTML.replace(MINUS, '-'));
    event.preventDefault();
  });
  const show = (target) => {
    for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  };
  const follow = () => {
    let id = '';
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && document.getElementById(id);
    if (!target) return;
    show(target);
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  follow();

  const form = document.querySelector('#search');
  const [input, output, next] = [form.querySelector('input'), form.querySelector('output'), form.querySelector('button')];
  form.hidden = false;
  const rows = tables.flatMap((table) => [...table.tBodies[0].rows].map((row) => ({ table, row, text: null })));
  let opened = [], hits = [], at = -1;
  let timer = 0;
  const search = () => {
    timer = 0;
    const words = plain(input.value).split(/\\s+/).filter(Boolean);
    for (const one of opened) one.open = false;
    opened = []; hits = []; at = -1;
    const found = new Set();
    for (const one of rows) {
      one.text ??= plain(one.row.textContent);
      const is = words.every((word) => one.text.includes(word));
      one.row.hidden = !is;
      if (is && words.length) { hits.push(one.row); found.add(one.table); }
    }
    document.body.classList.toggle('searching', words.length > 0);
    for (const table of tables) table.classList.toggle('without', words.length > 0 && !found.has(table));
    for (const table of found)
      for (let up = table; up; up = up.parentElement)
        if (up.tagName === 'DETAILS' && !up.open) { up.open = true; opened.push(up); }
    next.hidden = hits.length === 0;
    output.textContent = words.length === 0 ? '' : hits.length === 0 ? 'No row has it.'
      : hits.length + (hits.length === 1 ? ' row in ' : ' rows in ') + found.size + (found.size === 1 ? ' table' : ' tables');
  };
  input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, 120); });
  const goOn = () => {
    // The timer may not have searched for the last words yet.
    if (timer) { clearTimeout(timer); search(); }
    if (hits.length === 0) return;
    at = (at + 1) % hits.length;
    for (const hit of hits) hit.classList.toggle('at', hit === hits[at]);
    hits[at].scrollIntoView({ block: 'center' });
    output.textContent = 'Row ' + (at + 1) + ' of ' + hits.length;
  };
  // No form is sent: the team's page shows reports in a sandbox that forbids it.
  next.addEventListener('click', goOn);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    goOn();
  });
})();
`;
