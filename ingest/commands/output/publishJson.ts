// The result of `publish` for programs: a JSON document.

import { withoutLines } from '../../guards/finding.ts';
import { summaryOf } from '../../report/datasetSummaries.ts';
import type { Report } from '../../report/reportTypes.ts';
import type { PublishResult } from '../publish/publishResult.ts';
import type { ReportLocation } from '../publish/reportFile.ts';
import { comparisonJson } from './comparisonJson.ts';
import { optionOf } from './printedFindings.ts';

/** How many revised, new and removed rows of each dataset the JSON lists. */
const LISTED_ROWS = 20;

/**
 * The result for programs. The findings of guards are repeated as problems, because some programs read only the problems.
 */
export function publishJson(
  { report, exitCode: _, ...result }: PublishResult,
  written: ReportLocation | null,
  dryRun: boolean,
): object {
  const { problems, comparison, currentDamage } = result;
  const findings = [...(currentDamage === null ? [] : [currentDamage]), ...result.findings.map(withoutLines)];
  const unaccepted = findings
    .filter(({ accepted }) => accepted === null)
    .map((finding) => {
      const { dataset, severity, message } = finding;
      return {
        severity: severity === 'refuse' ? 'refusal' : 'warning',
        file: dataset ?? 'current',
        sheet: null,
        cell: null,
        place: dataset ?? 'current',
        message: `${message}. If that is right: ${optionOf(finding)}`,
      };
    });
  // A published snapshot has the comparison in its report.json.
  const comparisonOfDryRun =
    dryRun && comparison !== null ? comparisonJson(comparison, LISTED_ROWS) : undefined;
  const changes = report === null ? null : changesJson(report);
  return {
    ...result,
    findings,
    problems: [...problems, ...unaccepted],
    changes,
    comparison: comparisonOfDryRun,
    report: written?.file ?? null,
    reportFailure: written?.failure ?? null,
  };
}

/** The changes for programs: the same as in the table of the printed summary. */
const changesJson = (report: Report) => ({
  comparedWith: report.comparedWith,
  headline: report.headline,
  datasets: summaryOf(report),
});
