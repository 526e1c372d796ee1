// The look of a report: readable on a phone and on paper, light and dark, told apart without colour too.

export const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1b2026; --soft: #58616b; --paper: #fff; --panel: #f5f7f9; --line: #d5dbe1;
  --after: #0064a4; --before: #c05a00; --fill: #7fb2d8; --stop: #b3261e; --mind: #8a5300; --good: #1b6e3c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ink: #e8edf2; --soft: #a3afbb; --paper: #11161b; --panel: #1a2128; --line: #36414c;
    --after: #63b3ed; --before: #f0a04b; --fill: #3f7eaa; --stop: #ff8a80; --mind: #f0b95a; --good: #74cf96;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word;
}
.page { max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; break-after: avoid; }
h1 { font-size: 1.75rem; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; padding-top: .75rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
h4 { font-size: .95rem; margin: 1.25rem 0 .25rem; break-after: avoid; }
p { margin: .5rem 0; max-width: 46rem; }
a { color: var(--after); }
a:focus-visible, summary:focus-visible, .wide:focus-visible { outline: 3px solid var(--after); outline-offset: 2px; }
.hash { overflow-wrap: anywhere; }
code, .hash { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .85em; }
td .hash { font-size: .78em; }
.soft { color: var(--soft); font-weight: 400; }
.small { font-size: .85rem; }
.headline { font-size: 1.2rem; line-height: 1.4; max-width: 50rem; }
.over { color: var(--soft); margin: 0 0 .25rem; font-size: .9rem; }
nav ul { list-style: none; padding: 0; margin: 1rem 0 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .9rem; }
.note { border-left: 4px solid var(--mind); background: var(--panel); padding: .75rem 1rem; margin: 1rem 0; }
.note.stop { border-color: var(--stop); }
.note h2 { border: 0; margin: 0 0 .25rem; padding: 0; font-size: 1.05rem; }
.note p { margin: .25rem 0; max-width: none; }
.wide { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; padding: .25rem 0; color: var(--soft); }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
tbody th, tbody td:not(.keep) { overflow-wrap: anywhere; min-width: 4.5rem; }
tbody th { min-width: 7rem; }
thead td { border-bottom-color: var(--ink); }
thead th { font-weight: 600; color: var(--soft); border-bottom-color: var(--ink); vertical-align: bottom; }
tbody th { font-weight: 600; }
tr { break-inside: avoid; }
.n { text-align: right; font-variant-numeric: tabular-nums; }
.keep { white-space: nowrap; overflow-wrap: normal; }
.mark { font-weight: 600; white-space: nowrap; }
.mark.stop { color: var(--stop); } .mark.mind { color: var(--mind); } .mark.good { color: var(--good); }
details { margin: .25rem 0 .75rem; font-size: .85rem; }
summary { cursor: pointer; color: var(--soft); padding: .25rem 0; }
.charts { display: grid; gap: 1.25rem 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); margin: 1rem 0; }
.panels { columns: 20rem; column-gap: 2rem; margin: 1rem 0; }
.panels figure { margin-bottom: 1rem; }
figure { margin: 0; min-width: 0; break-inside: avoid; }
figcaption { font-weight: 600; font-size: .9rem; }
figcaption .soft { font-weight: 400; }
svg { display: block; width: 100%; height: auto; max-width: 26rem; margin: .25rem 0; }
svg text { font: 10.5px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; fill: var(--soft); }
svg text.e { text-anchor: end; } svg text.m { text-anchor: middle; } svg text.s { fill: var(--ink); }
svg .grid { stroke: var(--line); stroke-width: 1; } svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .later { fill: var(--panel); }
svg .before { fill: none; stroke: var(--before); stroke-width: 5; stroke-linejoin: round; opacity: .55; }
svg .after { fill: none; stroke: var(--after); stroke-width: 1.75; stroke-linejoin: round; }
svg .dot { fill: var(--after); } svg .dot.old { fill: var(--before); opacity: .75; }
svg .bar { fill: var(--after); } svg .bar.down { fill: var(--before); }
svg .has { fill: var(--fill); } svg .new { fill: var(--after); } svg .gone { fill: none; stroke: var(--before); stroke-width: 1.5; }
svg .sign { stroke: var(--paper); stroke-width: 1.5; }
svg .other { fill: var(--ink); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .85rem; color: var(--soft); margin: .5rem 0; padding: 0; list-style: none; }
.legend svg { display: inline-block; width: 1.75rem; height: .8rem; margin: 0 .35rem 0 0; vertical-align: -.05rem; }
td svg { width: 7rem; margin: .1rem 0 0 auto; }
footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .85rem; }
@media screen and (max-width: 40rem) {
  h1 { font-size: 1.4rem; } .headline { font-size: 1.08rem; }
  table, tbody { display: block; }
  thead { display: none; }
  tbody tr { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td, tbody td.n { display: block; border: 0; padding: 0; text-align: left; min-width: 0; }
  tbody th, tbody td.long { flex-basis: 100%; }
  tbody td:empty { display: none; }
  tbody td::before { content: attr(data-h); display: block; color: var(--soft); font-size: .72rem; line-height: 1.2; }
  td svg { margin: .3rem 0 0; width: 5.5rem; }
}
@media print {
  @page { margin: 14mm 12mm; }
  html { font-size: 9pt; }
  body { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .page { max-width: none; padding: 0; }
  nav, details:not([open]) { display: none; }
  td svg { width: 4.5rem; }
  th, td { padding: .25rem .5rem .25rem 0; }
  .wide { overflow: visible; }
  h2 { margin-top: 1.75rem; }
  .charts { grid-template-columns: repeat(2, 1fr); }
  a { color: inherit; text-decoration: none; }
}
`;
