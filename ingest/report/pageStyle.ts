// The style sheet of a report: the colours and fonts of the explorer, for screens, phones and paper, light and dark.

export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --sunk: #f7f6f2; --ink: #1b1d20; --quiet: #5b6068; --line: #dddcd6; --edge: #8b8d90;
  --accent: #0c5a59; --on-accent: #ffffff; --tint: #e6f0ee; --warn: #8a4b00; --warn-tint: #fdf3e1; --danger: #a1271c;
  --grid: #e6e6e3; --axis: #a5a7aa; --forecast: #f4f3ee; --s1: #0d4fd9; --s7: #bb1500;
  --danger-tint: #faeae7; --good: #1c6a3a; --good-tint: #e6f2ea; --has: #9db9ec;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --sunk: #1b1f23; --ink: #ebe9e3; --quiet: #a8adb3; --line: #33383d; --edge: #767c83;
    --accent: #74cbc2; --on-accent: #06201f; --tint: #182c2b; --warn: #f0c078; --warn-tint: #2e2415; --danger: #ff9e94;
    --grid: #2a2f34; --axis: #5d646b; --forecast: #1d2125; --s1: #98d4ff; --s7: #ffc29c;
    --danger-tint: #361d1a; --good: #8fd0a5; --good-tint: #17291e; --has: #3f6187;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  overflow-wrap: break-word;
}
.page { max-width: 72rem; margin: 0 auto; padding: 1.75rem 1.25rem 4rem; }
h1, h2, h3, h4, h5 { line-height: 1.25; text-wrap: balance; break-after: avoid; font-weight: 650; letter-spacing: -.006em; }
h1 { font-size: clamp(1.7rem, 1.4rem + 1.5vw, 2.2rem); margin: 0; letter-spacing: -.018em; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .5rem; scroll-margin-top: 1rem; }
h3 { font-size: 1.02rem; margin: 0; display: inline; }
h4 { font-size: .95rem; margin: 1.5rem 0 .25rem; }
h5 { font-size: .9rem; margin: 1rem 0 .25rem; }
p { margin: .5rem 0; max-width: 48rem; }
ul { padding-left: 1.2rem; margin: .4rem 0; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .2rem; }
.hash { overflow-wrap: anywhere; }
code, .hash { font-family: ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em; }
td .hash { font-size: .78em; }
.soft { color: var(--quiet); font-weight: 400; }
.small { font-size: .875rem; }
.headline { font-size: 1.15rem; line-height: 1.45; max-width: 52rem; margin: .75rem 0; }
.over { color: var(--quiet); margin: 0 0 .25rem; font-size: .9rem; }
.title { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.verdict { margin: 0; padding: .25rem .75rem; border-radius: .5rem; border: 1px solid currentColor; max-width: none; line-height: 1.35; }
.verdict strong { font-weight: 650; white-space: nowrap; }
.verdict.good { color: var(--good); background: var(--good-tint); }
.verdict.mind { color: var(--warn); background: var(--warn-tint); }
.verdict.stop { color: var(--danger); background: var(--danger-tint); }
.bar { display: flex; flex-wrap: wrap; gap: .75rem 2rem; justify-content: space-between; align-items: center; margin-top: 1rem; }
nav ul { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .9rem; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; font-size: .9rem; }
form[hidden] { display: none; }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .4rem; padding: .4rem .6rem; width: 15rem; max-width: 100%; }
input::placeholder { color: var(--quiet); }
button { font: inherit; font-size: .875rem; color: var(--accent); background: var(--paper); border: 1px solid var(--edge); border-radius: .4rem; padding: .3rem .7rem; cursor: pointer; min-height: 2rem; }
button:hover { background: var(--tint); }
button.csv { float: right; margin: -.15rem 0 .15rem 1rem; font-size: .78rem; padding: .1rem .55rem; min-height: 1.6rem; border-color: var(--line); }
output { color: var(--quiet); min-width: 4rem; }
.note { border-left: 4px solid var(--warn); background: var(--warn-tint); padding: .6rem 1rem; margin: .75rem 0; border-radius: 0 .4rem .4rem 0; }
.note.stop { border-color: var(--danger); background: var(--danger-tint); }
.note h2 { margin: 0 0 .25rem; padding: 0; font-size: 1rem; }
.note p { margin: .35rem 0; max-width: none; }
.note div { margin: .5rem 0; break-inside: avoid; }
.note div p { margin: 0; }
.lines { list-style: none; margin: 0; padding-left: 2rem; text-indent: -1rem; font-size: .875rem; }
td div + div { margin-top: .4rem; }
.note .soft { color: var(--ink); opacity: 1; }
.wide { overflow-x: auto; margin: .5rem 0; clear: both; }
h2 + .csv, h4 + .csv { margin-top: -2rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.4; }
table.without, tr[hidden] { display: none; }
.searching .wide:has(> table.without), .searching .csv:has(+ .wide > table.without) { display: none; }
tr.at > * { background: var(--tint); }
tr:target > *, tr:focus > * { background: var(--warn-tint); }
tr { scroll-margin-top: 3rem; break-inside: avoid; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
tbody th { overflow-wrap: anywhere; }
tbody td.long { min-width: 8rem; }
tbody th { min-width: 7rem; font-weight: 600; }
thead td, thead th { border-bottom-color: var(--edge); }
thead th { font-weight: 600; color: var(--quiet); vertical-align: bottom; }
.n { white-space: nowrap; text-align: right; font-variant-numeric: tabular-nums; }
.keep { white-space: nowrap; overflow-wrap: normal; }
.mark { font-weight: 600; white-space: nowrap; font-size: .95em; }
.mark.stop { color: var(--danger); } .mark.mind { color: var(--warn); } .mark.good { color: var(--good); }
details { margin: .25rem 0 .75rem; font-size: .875rem; }
details.part { font-size: 1rem; margin: 0; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
details.part[open] { padding-bottom: 1.5rem; }
summary { cursor: pointer; color: var(--quiet); padding: .25rem 0; }
details.part > summary { color: var(--ink); padding: .7rem 0; }
.charts { display: grid; gap: 1.25rem 2.5rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18.75rem), 1fr)); margin: .75rem 0; }
.panels { columns: 18.75rem; column-gap: 2.5rem; margin: 1rem 0; }
.panels figure { margin-bottom: 1rem; }
figure { margin: 0; min-width: 0; break-inside: avoid; }
figcaption { font-weight: 600; font-size: .9rem; line-height: 1.35; }
svg { display: block; width: 100%; height: auto; max-width: 23rem; margin: .35rem 0; }
svg text { font: 12.5px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; color: var(--quiet); fill: currentColor; font-variant-numeric: tabular-nums; }
svg text.e { text-anchor: end; } svg text.m { text-anchor: middle; } svg text.s { color: var(--ink); }
svg .grid { stroke: var(--grid); stroke-width: 1; } svg .axis { stroke: var(--axis); stroke-width: 1; }
svg .later { fill: var(--forecast); }
svg .after { fill: none; stroke: var(--s1); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
svg .break { stroke: var(--ink); stroke-width: 1.25; stroke-dasharray: 2 3; }
svg .dot { fill: var(--s1); }
svg .bar { fill: var(--s1); } svg .bar.down { fill: var(--s7); }
svg .bar.joined { fill: var(--paper); stroke: var(--s1); stroke-width: 1.25; stroke-dasharray: 2.5 1.5; }
svg .has { fill: var(--has); } svg .new { fill: var(--s1); } svg .gone { fill: none; stroke: var(--s7); stroke-width: 1.75; }
svg .sign { stroke: var(--paper); stroke-width: 1.5; }
svg .other { fill: var(--ink); }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1.5rem; font-size: .875rem; color: var(--quiet); margin: .5rem 0; padding: 0; list-style: none; }
.legend svg { display: inline-block; width: 1.75rem; height: .8rem; margin: 0 .45rem 0 0; vertical-align: -.05rem; }
td svg { width: 6rem; margin: .25rem 0 0 auto; }
footer { margin-top: 2.5rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
@media screen and (max-width: 40rem) {
  .page { padding: 1.25rem .75rem 3rem; }
  .headline { font-size: 1.05rem; }
  summary, nav a { padding: .35rem 0; display: inline-block; }
  summary { display: list-item; }
  input { width: 100%; }
  form { width: 100%; }
  input, button { min-height: 2.75rem; }
  button.csv { min-height: 2rem; }
  main h2, main h4 { padding-right: 4rem; }
}
/* A narrower table would scroll sideways, with its last columns out of sight. */
@media screen and (max-width: 56rem) {
  table, tbody { display: block; }
  thead { display: none; }
  tbody tr { display: flex; flex-wrap: wrap; gap: .15rem 1rem; padding: .45rem 0; border-bottom: 1px solid var(--line); }
  tbody th, tbody td, tbody td.n { display: block; border: 0; padding: 0; text-align: left; min-width: 0; }
  tbody th, tbody td.long { flex-basis: 100%; }
  tbody td:empty, tbody td:has(> svg) { display: none; }
  tbody td[data-h]::before { content: attr(data-h) " "; color: var(--quiet); font-size: .8rem; }
}
@media print {
  @page { margin: 14mm 12mm; }
  html { font-size: 8.5pt; }
  body { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .page { max-width: none; padding: 0; }
  nav, form, button, details:not([open]) { display: none !important; }
  /* No narrower, or the text in charts would be smaller than 12 px. */
  svg { max-width: 312px; }
  .panels { columns: 300px 2; }
  td svg { width: 4rem; }
  th, td { padding: .2rem .5rem .2rem 0; }
  .wide { overflow: visible; }
  h2 { margin-top: 1.25rem; }
  .charts { grid-template-columns: repeat(2, minmax(300px, 1fr)); }
  a { color: inherit; text-decoration: none; }
}
`;
