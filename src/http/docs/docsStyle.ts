// The style of the documentation: system fonts, a light and a dark theme, widths from 320 px, and a style for paper.

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fffefb; --sunk: #f4f3ed; --ink: #1b1d20; --quiet: #5b6068; --line: #dedbd2; --edge: #8b8a82;
  --accent: #0c5a59; --on-accent: #ffffff; --tint: #e4efec; --good: #1c6a3a; --danger: #a1271c; --code: #f4f3ed;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16191b; --sunk: #1d2123; --ink: #ebe9e3; --quiet: #a8adb3; --line: #33383d; --edge: #767c83;
    --accent: #74cbc2; --on-accent: #06201f; --tint: #182c2b; --good: #8fd0a5; --danger: #ff9e94; --code: #0f1112;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.55 var(--sans); background: var(--paper); color: var(--ink); -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body, h1, h2, h3, h4, p, ul, dl, dd, pre { margin: 0; padding: 0; }
h1 { font-size: clamp(1.7rem, 1.4rem + 1.5vw, 2.3rem); line-height: 1.2; letter-spacing: -0.02em; font-weight: 680; }
h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; font-weight: 670; }
h3 { font-size: 1.2rem; line-height: 1.3; letter-spacing: -0.008em; font-weight: 650; }
h4 { font-size: 1rem; font-weight: 650; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
code { font-family: var(--mono); font-size: 0.89em; font-variant-ligatures: none; overflow-wrap: anywhere; }
:not(pre) > code { background: var(--sunk); padding: 0.08em 0.3em; border-radius: 0.25rem; }
[hidden] { display: none !important; }
.quiet { color: var(--quiet); font-size: 0.9em; overflow-wrap: anywhere; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--paper); z-index: 3; }
.skip:focus { top: 0.5rem; }
.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.3rem 1.5rem; padding: 0.75rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.top nav { display: flex; gap: 1.25rem; font-size: 0.93rem; }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; font-weight: 650; color: var(--ink); text-decoration: none; }
.brand svg { width: 1.3rem; height: 1.3rem; fill: var(--accent); flex: none; }
.columns { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); max-width: 96rem; margin: 0 auto; }
.side { position: sticky; top: 3.3rem; align-self: start; max-height: calc(100vh - 3.3rem); overflow-y: auto; padding: 1.25rem 0.5rem 2rem 1.25rem; font-size: 0.93rem; }
.side summary { display: none; }
.side p { margin: 1.1rem 0 0.2rem; font-weight: 650; font-size: 0.84rem; color: var(--quiet); }
.side ul { list-style: none; }
.side a { display: block; padding: 0.22rem 0.6rem; margin-left: -0.6rem; border-radius: 0.4rem; color: var(--ink); text-decoration: none; }
.side a:hover { background: var(--tint); }
.side code { background: none; padding: 0; }
main { padding: clamp(1.5rem, 3vw, 2.5rem) clamp(1.1rem, 3vw, 2.5rem) 5rem; min-width: 0; overflow-wrap: anywhere; }
main > section + section { margin-top: 3.5rem; padding-top: 2.5rem; border-top: 1px solid var(--line); }
section > * + *, .text > * + * { margin-top: 0.8rem; }
.text > h4 { margin-top: 1.5rem; }
.lead { color: var(--quiet); font-size: 1.06rem; max-width: 46rem; }
section > p, section > ul, .topic { max-width: 46rem; }
section > ul { padding-left: 1.2rem; }
section > ul > li + li { margin-top: 0.35rem; }
.operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5rem clamp(1.5rem, 3vw, 3rem); margin-top: 2.25rem; padding-top: 2rem; border-top: 1px solid var(--line); }
.lead + .operation { border-top: 0; padding-top: 0; }
.code > * + * { margin-top: 0.6rem; }
.path { font-size: 0.98rem; }
.method { font: 700 0.8rem var(--mono); color: var(--good); }
pre { font-size: 0.92rem; line-height: 1.5; background: var(--code); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.75rem 0.9rem; overflow: auto; max-height: 24rem; }
.example > summary, .try > summary { cursor: pointer; padding: 0.35rem 0; font-weight: 600; font-size: 0.95rem; }
.example > pre:first-of-type { white-space: pre-wrap; }
.example > pre + pre { margin-top: 0.5rem; }
.status { font: 600 0.8rem var(--mono); margin-left: 0.3rem; color: var(--good); }
.s4, .s5 { color: var(--danger); }
.parameters > div, .answers > div { padding: 0.55rem 0; border-top: 1px solid var(--line); }
.parameters dd { font-size: 0.95rem; }
.required { color: var(--danger); font-size: 0.82rem; font-weight: 600; }
.answers > div { display: grid; grid-template-columns: 3.2rem minmax(0, 1fr); padding: 0.35rem 0; font-size: 0.95rem; }
.answers dt { font: 600 0.9rem/1.6 var(--mono); }
.topic { padding: 1rem 0; border-top: 1px solid var(--line); }
.topic h4 a { color: inherit; text-decoration: none; }
.topic h4 a:hover { text-decoration: underline; }
.topic:target { background: var(--tint); box-shadow: -0.9rem 0 0 var(--tint), 0.9rem 0 0 var(--tint); }
.topic > * + * { margin-top: 0.5rem; }
label { display: block; font-size: 0.88rem; font-weight: 600; margin-bottom: 0.15rem; }
input, select, textarea { width: 100%; font: 0.95rem/1.4 var(--mono); color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: 0.4rem; padding: 0.4rem 0.55rem; min-height: 2.4rem; }
textarea { resize: vertical; display: block; }
::placeholder { color: var(--quiet); opacity: 1; }
.key { max-width: 46rem; padding: 0.9rem 1rem 1rem; background: var(--sunk); border-radius: 0.6rem; }
.try { border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.3rem 0.9rem; margin-top: 1.25rem; }
.try form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: 0.7rem 0.9rem; padding: 0.4rem 0 0.8rem; }
.send { align-self: end; }
button { font: 600 0.95rem var(--sans); color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: 0.45rem; padding: 0.5rem 1.4rem; min-height: 2.4rem; cursor: pointer; }
button:disabled { opacity: 0.6; cursor: default; }
.result:not(:empty) { padding-bottom: 0.9rem; }
.result > * + * { margin-top: 0.5rem; }
.result p { font-size: 0.93rem; overflow-wrap: anywhere; }
@media (max-width: 76rem) { .operation { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
  .top { position: static; }
  .side { position: static; max-height: none; padding: 0.75rem 1.1rem; border-bottom: 1px solid var(--line); }
  .side summary { display: block; cursor: pointer; font-weight: 600; padding: 0.65rem 0; }
  .side a { padding: 0.65rem 0.6rem; }
  .top { padding-block: 0; }
  .top a { display: inline-flex; align-items: center; min-height: 2.75rem; }
  .example > summary, .try > summary { padding-block: 0.65rem; }
  input, select, button { min-height: 2.75rem; }
  html { scroll-padding-top: 1rem; }
}
@media (forced-colors: active) {
  .brand svg { fill: currentColor; }
}
@media print {
  @page { margin: 12mm; }
  :root { --paper: #fff; --sunk: #fff; --code: #fff; --ink: #000; --quiet: #444; --line: #bbb; --accent: #000; --tint: #fff; --good: #000; --danger: #000; }
  .side, .skip, .top nav, .try, .key { display: none !important; }
  .columns, .operation { display: block; }
  .example::details-content { content-visibility: visible; block-size: auto; }
  @supports not selector(::details-content) { .example:not([open]) > summary::after { content: " (closed: not printed)"; font-weight: 400; } }
  pre { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
  .top { position: static; }
  .operation, .topic { break-inside: auto; }
  h2, h3, h4 { break-after: avoid; }
  dl > div { break-inside: avoid; }
}
`;
