// Shows the revenue of a country or product by year in a table, which can be printed.

import type { VNode } from 'preact';
import { coverageBreakYears, type Entity } from '../model/entity.ts';
import { changeText, exactText } from '../model/numberFormats.ts';
import { unitText } from '../model/summary.ts';
import { CHART_NOTES, CHART_TEXTS, READOUT } from '../texts/chartTexts.ts';
import { ENTITY } from '../texts/entityTexts.ts';
import { forecastText } from './readout.tsx';
import { ScrollBox } from './scrollBox.tsx';

/** A row for each year with a value, the latest first. */
export function YearTable({ entity }: { readonly entity: Entity }): VNode {
  const points = entity.revenue.points.filter(({ value }) => value !== null);
  const breaks = coverageBreakYears(entity);
  const rows = points.map((point, i) => {
    const { year, value } = point;
    const before = points[i - 1];
    const isNext = before?.year === year - 1;
    const growth = isNext ? (changeText(before.value ?? 0, value ?? 0) ?? READOUT.noValue) : READOUT.noValue;
    return {
      year,
      value: exactText(value ?? 0),
      change: breaks.has(year) ? ENTITY.coverage : growth,
      forecast: forecastText(point),
    };
  });
  return (
    <section class="year-table">
      <h2>{ENTITY.yearsTitle}</h2>
      <ScrollBox label={ENTITY.yearsTitle}>
        <table aria-label={ENTITY.yearsTitle}>
          <thead>
            <tr>
              <th scope="col">{CHART_TEXTS.year}</th>
              <th scope="col" class="number">
                {ENTITY.revenue} <span class="unit">{unitText(entity.unit)}</span>
              </th>
              <th scope="col" class="number">
                {ENTITY.change}
              </th>
              <th scope="col">{CHART_NOTES.forecast}</th>
            </tr>
          </thead>
          <tbody>
            {rows.toReversed().map((row) => (
              <tr>
                <th scope="row">{row.year}</th>
                <td class="number">{row.value}</td>
                <td class="number">{row.change}</td>
                <td>{row.forecast}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {breaks.size > 0 && <p class="quiet small">{ENTITY.coverageNote}</p>}
    </section>
  );
}
