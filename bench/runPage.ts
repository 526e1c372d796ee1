// Shows a run of the benchmarks as a page, with tables, small charts and the speeds since an earlier run.

import { type Html, html, verbatim } from '../src/text/html.ts';
import { type Figure, shown, verdict } from './figure.ts';

/** The JSON that `make bench` writes. */
export interface Run {
  readonly date: string;
  readonly machine: Readonly<Record<string, string | number>>;
  readonly rows: Readonly<Record<string, readonly Figure[]>>;
}

/** A figure counts as slower when its relative speed is below this. Two runs on one machine differ by less. */
const SLOWER = 0.95;

/**
 * The figures that became slower since `before`, with their relative speed. When a figure has a reference, its ratio to
 * the reference is compared: a slower machine then makes no difference.
 */
export function slowerRows(run: Run, before: Run): { readonly what: string; readonly speed: number }[] {
  const earlier = new Map(
    Object.values(before.rows)
      .flat()
      .map((figure) => [figure.what, figure]),
  );
  return Object.values(run.rows)
    .flat()
    .flatMap((figure) => {
      const then = earlier.get(figure.what);
      const speed = then ? speedBeside(figure, then) : 1;
      return speed < SLOWER ? [{ what: figure.what, speed }] : [];
    });
}

/** The speed of `now` relative to `then`. A number above 1 is faster. */
function speedBeside(now: Figure, then: Figure): number {
  const relative = ({ value, reference }: Figure) => value / (reference ?? 1);
  const comparable = now.reference !== undefined && then.reference !== undefined;
  const ratio = comparable ? relative(now) / relative(then) : now.value / then.value;
  return now.better === 'higher' ? ratio : 1 / ratio;
}

/** The page as HTML without scripts. With `before`, it has a column of the speeds since then. */
export function runPage(run: Run, before: Run | null): string {
  const { date, machine, rows } = run;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Benchmarks, ${date.slice(0, 10)}</title><style>${verbatim(STYLE)}</style></head><body><main>
<h1>Benchmarks, ${date.slice(0, 10)}</h1>
<p>${Object.entries(machine).map(([name, value]) => html`<span class="fact">${name} ${value}</span> `)}</p>
<p>Each figure is the median of rounds that ran in turns with its reference. The range is the lowest and the highest
round of this run. The bar compares the figure with its reference: the line is the reference, longer is faster.</p>
${Object.entries(rows).map(([name, figures]) => section(name, figures, before))}
</main></body></html>
`;
  return page.markup;
}

function section(name: string, figures: readonly Figure[], before: Run | null): Html {
  return html`<h2>${name}</h2><div class="scroll"><table>
<thead><tr><th>Measured</th><th class="number">Figure</th><th class="number">Range</th><th class="number">Reference</th><th>Speed beside it</th><th>Mark</th>${before && html`<th class="number">Since ${before.date.slice(0, 10)}</th>`}</tr></thead>
<tbody>${figures.map((figure) => row(figure, before && (before.rows[name] ?? [])))}</tbody></table></div>`;
}

function row(figure: Figure, before: readonly Figure[] | null): Html {
  const { what, unit, value, range, reference, referenceName } = figure;
  const then = before?.find((one) => one.what === what);
  const met = verdict(figure);
  return html`<tr><th scope="row">${what}</th><td class="number">${shown(value)} ${unit}</td>
<td class="number">${range ? `${shown(range[0])}–${shown(range[1])}` : ''}</td>
<td class="number">${reference === undefined ? (referenceName ?? '') : `${shown(reference)} ${referenceName ?? ''}`}</td>
<td>${reference === undefined ? '' : bar(speedBeside(figure, { ...figure, value: reference, reference: reference }))}</td>
<td class="${met.endsWith('MISSED') ? 'missed' : ''}">${met}</td>
${before && html`<td class="number">${then ? `${speedBeside(figure, then).toFixed(2)} ×` : 'new'}</td>`}</tr>`;
}

/**
 * A bar of relative speed. The line in the middle is the reference. The full width is twice the speed of the reference or
 * more.
 */
function bar(speed: number): Html {
  const width = Math.round(Math.min(speed, 2) * 60);
  return html`<svg width="122" height="14" viewBox="0 0 122 14" role="img" aria-label="${speed.toFixed(2)} times the reference"><rect x="1" y="2" width="${width}" height="10" rx="2"/><line x1="61" y1="0" x2="61" y2="14"/></svg> ${speed.toFixed(2)} ×`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1d20; --quiet: #5b6068; --line: #dedbd2; --bar: #0c5a59; --bad: #a1271c; --paper: #fffefb }
@media (prefers-color-scheme: dark) { :root { --ink: #ebe9e3; --quiet: #a8adb3; --line: #33383d; --bar: #74cbc2; --bad: #ff9e94; --paper: #131517 } }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem }
h2 { margin: 2rem 0 0.5rem; font-size: 1.1rem }
p { color: var(--quiet); max-width: 44rem }
.fact { margin-right: 1rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: top }
thead th { color: var(--quiet); font-size: 0.87rem }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.missed { color: var(--bad); font-weight: 600 }
svg { vertical-align: -2px } rect { fill: var(--bar) } line { stroke: var(--ink) }
`;
