// The style of the pages: the explorer's colours and type, light and dark, from 320 px width up, and for paper.

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --card: #ffffff; --sunk: #f7f6f2; --ink: #1b1d20; --quiet: #5b6068; --line: #dddcd6; --edge: #8b8d90;
  --accent: #0c5a59; --accent-strong: #084443; --on-accent: #ffffff; --tint: #e6f0ee; --good: #1c6a3a;
  --danger: #a1271c; --danger-strong: #7f1b12; --on-danger: #ffffff; --danger-tint: #faeae7;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --card: #14171a; --sunk: #1b1f23; --ink: #ebe9e3; --quiet: #a8adb3; --line: #33383d; --edge: #767c83;
    --accent: #74cbc2; --accent-strong: #97ddd5; --on-accent: #06201f; --tint: #182c2b; --good: #8fd0a5;
    --danger: #ff9e94; --danger-strong: #ffbbb3; --on-danger: #2c0804; --danger-tint: #361d1a;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.55 var(--sans); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: clamp(1.6rem, 1.3rem + 1.5vw, 2.1rem); line-height: 1.2; letter-spacing: -0.018em; font-weight: 650; text-wrap: balance; }
h2 { font-size: 1.14rem; line-height: 1.35; letter-spacing: -0.006em; font-weight: 650; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; text-decoration-color: color-mix(in srgb, currentColor 45%, transparent); }
a:hover { color: var(--accent-strong); text-decoration-color: currentColor; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 0.3rem; }
code { font-family: var(--mono); font-size: 0.92em; font-variant-ligatures: none; }
strong { font-weight: 650; }
[hidden] { display: none !important; }
.quiet { color: var(--quiet); }
.small { font-size: 0.9rem; }
.number { font-variant-numeric: tabular-nums; }
.breakable { overflow-wrap: anywhere; }
.label, .breakable, .eyebrow { unicode-bidi: isolate; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--card); z-index: 1; }
.skip:focus { top: 1rem; }

.masthead { border-bottom: 1px solid var(--line); }
.masthead-row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 1.75rem; margin: 0 auto; padding: 0.85rem 1.25rem; }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; font-weight: 650; letter-spacing: -0.01em; color: var(--ink); text-decoration: none; }
.brand svg { width: 1.35rem; height: 1.35rem; fill: var(--accent); flex: none; }
.tabs { display: flex; flex-wrap: wrap; gap: 0.15rem 0.35rem; list-style: none; margin-left: -0.7rem; }
.tabs a { display: block; padding: 0.4rem 0.7rem; border-radius: 0.5rem; color: var(--quiet); text-decoration: none; }
.tabs a:hover { color: var(--ink); background: var(--tint); }
.tabs [aria-current] { color: var(--ink); font-weight: 600; background: var(--tint); }
.signout { margin-left: auto; }
main { flex: 1; width: 100%; margin: 0 auto; padding: clamp(1.75rem, 4vw, 3.25rem) 1.25rem clamp(2rem, 5vw, 4rem); }
.narrow { max-width: 44rem; }
.wide { max-width: 72rem; }
.foot { border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.86rem; }
.foot p { margin: 0 auto; padding: 1rem 1.25rem 1.4rem; }

.stack > * + * { margin-top: 1rem; }
.stack > h1 + * { margin-top: 0.75rem; }
.stack > * + h2 { margin-top: 2rem; }
.stack > * + .actions { margin-top: 1.75rem; }
.stack > h2 + * { margin-top: 0.5rem; }
.stack > h2 + form { margin-top: 0.9rem; }
.stack > h1 + .card { margin-top: 1.5rem; }
.sections > * + * { margin-top: 2.25rem; }
.lead { font-size: 1.08rem; color: var(--quiet); max-width: 38rem; }
.eyebrow { font-size: 0.86rem; font-weight: 600; color: var(--accent); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; padding: clamp(1.1rem, 2.6vw, 1.6rem); }
.note { border-left: 3px solid var(--accent); background: var(--tint); border-radius: 0 0.6rem 0.6rem 0; padding: 0.75rem 1rem; }
.note.danger { border-left-color: var(--danger); background: var(--danger-tint); }
.facts { display: grid; gap: 0.7rem; list-style: none; }
.facts li { display: grid; grid-template-columns: 1.35rem 1fr; gap: 0.75rem; }
.facts svg { width: 1.2rem; height: 1.2rem; margin-top: 0.18rem; fill: none; stroke: var(--accent); stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }

.button { display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; min-height: 2.75rem; padding: 0.55rem 1.15rem; border: 1px solid transparent; border-radius: 0.6rem; font: inherit; font-weight: 600; line-height: 1.2; text-decoration: none; cursor: pointer; background: var(--accent); color: var(--on-accent); }
.button:hover { background: var(--accent-strong); color: var(--on-accent); }
.button.large { min-height: 3.2rem; padding: 0.8rem 1.6rem; font-size: 1.05rem; }
.button.plain { background: transparent; color: var(--ink); border-color: var(--edge); }
.button.plain:hover { background: var(--tint); border-color: var(--accent); }
.button.danger { background: var(--danger); color: var(--on-danger); }
.button.danger:hover { background: var(--danger-strong); }
.button.slight { min-height: 2.25rem; padding: 0.3rem 0.8rem; font-size: 0.92rem; font-weight: 500; }

.secret { border: 1px solid var(--line); border-radius: 0.7rem; background: var(--sunk); overflow: hidden; }
.secret code { display: block; max-height: 60vh; overflow-y: auto; padding: 0.95rem 1.1rem; font-size: 0.92rem; line-height: 1.6; overflow-wrap: anywhere; white-space: pre-wrap; user-select: all; -webkit-user-select: all; }
.secret-row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.9rem; border-top: 1px solid var(--line); padding: 0.6rem 1.1rem; min-height: 3.5rem; background: var(--card); }
.secret.key { border-color: var(--accent); }
.secret.key code { font-size: 1rem; font-weight: 600; }
.said { color: var(--good); font-weight: 600; font-size: 0.92rem; }

form { margin: 0; }
.fields { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-end; }
.field { display: flex; flex-direction: column; gap: 0.3rem; min-width: 0; }
.field.grows { flex: 1 1 16rem; }
label { font-weight: 600; font-size: 0.94rem; padding: 0; }
.hint { color: var(--quiet); font-size: 0.88rem; font-weight: 400; }
textarea, input:not([type=checkbox], [type=hidden]), select { font: inherit; color: inherit; background: var(--card); width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.6rem; }
input:focus-visible, select:focus-visible { outline-offset: 1px; border-color: var(--accent); }
input[aria-invalid=true] { border-color: var(--danger); }
.problem { color: var(--danger); font-size: 0.92rem; font-weight: 600; }
.tick { display: flex; gap: 0.65rem; align-items: flex-start; font-weight: 400; font-size: 1rem; padding: 0.3rem 0; }
.tick input { width: 1.2rem; height: 1.2rem; margin: 0.18rem 0 0; accent-color: var(--accent); flex: none; }

.bar-with-text { display: grid; gap: 0.3rem; }
.bar { display: block; width: 100%; min-width: 7rem; height: 0.42rem; border-radius: 0.21rem; }
.bar .track { fill: var(--line); }
.bar .filled { fill: var(--accent); }
.bar.full .filled { fill: var(--danger); }
.state { display: inline-flex; align-items: center; gap: 0.45rem; white-space: nowrap; }
.state svg { width: 0.7rem; height: 0.7rem; flex: none; fill: currentColor; stroke: currentColor; }
.state.good { color: var(--good); }
.state.bad { color: var(--danger); }
.state.past { color: var(--quiet); }

.page-head { display: flex; flex-wrap: wrap; gap: 0.9rem 2rem; align-items: flex-end; justify-content: space-between; }
.page-head h1 + p { margin-top: 0.4rem; }
.invite > summary { list-style: none; }
.invite > summary::-webkit-details-marker { display: none; }
.invite[open] { flex-basis: 100%; }
.invite[open] > summary { margin-bottom: 0.9rem; }
summary.button, summary.button:hover { color: var(--on-accent); text-decoration: none; }
.days { display: block; width: 100%; height: 6.5rem; border-bottom: 1px solid var(--edge); }
.days rect { fill: var(--accent); }
.days rect.refused { fill: var(--danger); }
.days-ends { display: flex; justify-content: space-between; margin-top: 0.3rem; }
.swatch { display: inline-block; width: 0.8rem; height: 0.8rem; margin: 0 0.4rem 0 0.9rem; vertical-align: -0.06rem; fill: var(--accent); }
.swatch.refused { fill: var(--danger); }
.list-head { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: space-between; gap: 0.8rem 2rem; margin-bottom: 0.9rem; }
.filters { display: flex; flex-wrap: wrap; gap: 0.6rem 0.9rem; align-items: flex-end; margin-bottom: 0.9rem; }
.filters .field:not(.grows) { flex: 0 1 auto; }
.compact td { padding: 0.4rem 1rem; vertical-align: middle; }
.compact th a { color: inherit; text-decoration: none; }
.compact th a:hover { text-decoration: underline; }
.compact th[aria-sort$=ending] a { color: var(--ink); }
.compact .first { width: 38%; }
.compact .first > .quiet { display: inline; white-space: nowrap; }
.compact .button { padding-block: 0.15rem; }
.compact select { padding-block: 0.15rem; min-height: 0; }
.compact .bar-with-text { grid-template-columns: max-content minmax(3rem, 6rem); align-items: center; gap: 0.6rem; justify-content: start; white-space: nowrap; }
.compact .bar-with-text .number { min-width: 8rem; }
.compact .bar { min-width: 3rem; }
.box { width: 2.6rem; padding-right: 0 !important; }
.box input { width: 1.2rem; height: 1.2rem; accent-color: var(--accent); display: block; }
.chosen { margin-top: 0.9rem; }
.more { margin-top: 0.9rem; }
.send { margin-top: 1.1rem; }
.more .fields { margin-top: 0.6rem; }
.more .grows { flex-basis: 100%; }
.inline { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }
.inline select { width: auto; min-height: 2.25rem; padding: 0.2rem 0.5rem; }
.signout { display: flex; align-items: center; gap: 0.75rem; }
.jump { display: flex; gap: 0.5rem; align-items: center; }
.jump input:not([type=hidden]) { width: 5rem; min-height: 2.25rem; padding: 0.2rem 0.5rem; }
.table-card { padding: 0; overflow: hidden; }
table { width: 100%; border-collapse: collapse; font-size: 0.95rem; }
th { text-align: left; font-size: 0.84rem; font-weight: 600; color: var(--quiet); padding: 0.75rem 1rem; background: var(--sunk); border-bottom: 1px solid var(--line); white-space: nowrap; }
td { padding: 0.85rem 1rem; vertical-align: top; border-bottom: 1px solid var(--line); }
tbody tr:last-child td { border-bottom: 0; }
tbody tr:hover td { background: var(--sunk); }
.first > .quiet { display: block; font-size: 0.86rem; }
td { max-width: 26rem; }
td time { white-space: nowrap; }
.label { font-weight: 600; overflow-wrap: anywhere; }
.detail { display: block; }
.detail .quiet { display: inline; font-size: inherit; }
summary { cursor: pointer; color: var(--accent); width: fit-content; border-radius: 0.3rem; }
summary:hover { text-decoration: underline; text-underline-offset: 0.18em; }
details[open] > summary { margin-bottom: 0.5rem; }
details .stack > * + * { margin-top: 0.5rem; }
.empty { padding: clamp(2rem, 6vw, 3.5rem) 1.5rem; text-align: center; color: var(--quiet); }
.empty p + p { margin-top: 0.3rem; }
.paging { display: flex; flex-wrap: wrap; align-items: center; gap: 0.75rem 1.25rem; margin-top: 1.1rem; }
section > ul { padding-left: 1.2rem; }
.terms { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1.1rem 2rem; }
.terms dt { color: var(--quiet); font-size: 0.86rem; font-weight: 600; }
.terms dd { overflow-wrap: anywhere; }
.split { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 1.5rem; align-items: start; }

@media (max-width: 60rem) {
  .button.slight, .tabs a, .inline select, .jump input:not([type=hidden]) { min-height: 2.75rem; }
  .tabs a { display: inline-flex; align-items: center; }
  .tick { padding: 0.65rem 0; }
  summary:not(.button) { padding-block: 0.7rem; }
  td a:not(.button), .links a { padding-block: 1rem; }
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 0.9rem 1rem; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; }
  td { border: 0; padding: 0.2rem 0; display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0.2rem 0.75rem; }
  td > * { grid-column: 2; }
  td::before { content: attr(data-label); color: var(--quiet); font-size: 0.86rem; grid-column: 1; grid-row: 1; }
  td:has(> span:only-child:empty) { display: none; }
  td.first, .compact td.first { display: block; width: auto; padding-bottom: 0.4rem; }
  td.first::before { content: none; }
  td.box { display: block; float: right; width: auto; }
  td.box::before { content: none; }
  .box label { display: grid; place-items: center; width: 2.75rem; height: 2.75rem; margin: -0.5rem -0.6rem 0 0; }
  .box input { width: 1.6rem; height: 1.6rem; }
  .compact td { padding: 0.15rem 0; }
  td time { white-space: normal; }
  tbody tr:hover td { background: none; }
  .compact .bar-with-text { grid-template-columns: auto minmax(1rem, 1fr); }
  .compact .bar-with-text .number { min-width: auto; white-space: normal; }
  .compact .bar { min-width: 1rem; }
}
@media (max-width: 46rem) {
  .masthead-row { column-gap: 0.5rem; }
  .brand { flex: 1 1 auto; }
  .masthead nav { order: 3; flex-basis: 100%; }
  .signout > span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .tabs { margin-left: -0.45rem; gap: 0; }
  .tabs a { padding: 0.4rem 0.45rem; font-size: 0.92rem; }
  .filters .field:not(.grows) { flex: 1 1 8rem; }
  .filters select { width: 100%; }
  .actions .button, .button.large { width: 100%; }
  .terms { grid-template-columns: 1fr 1fr; gap: 0.9rem 1.25rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .button, .tabs a { transition: background-color 120ms, border-color 120ms; }
}
@media (forced-colors: active) {
  .brand svg { fill: currentColor; }
  .facts svg { stroke: currentColor; }
  .button { border-color: ButtonText; }
  .bar .track { fill: Canvas; stroke: CanvasText; }
  .bar .filled { fill: Highlight; }
}
@media print {
  @page { margin: 12mm; }
  :root { --paper: #fff; --card: #fff; --sunk: #fff; --ink: #000; --quiet: #444; --line: #bbb; --accent: #000; --tint: #fff; --good: #000; --danger: #000; }
  .masthead nav, .signout, .skip, button, .button, .paging, .tabs, .filters, .box, .chosen { display: none !important; }
  .card { break-inside: avoid; }
  .secret-row { display: none; }
  main { padding: 1rem 0; max-width: none; }
}
`;
