// Reports reading options without effect: they name a file that does not exist, or they changed no cell.

import { wholeFile } from '../messages/place.ts';
import { nearestWord } from '../messages/spelling.ts';
import type { ReadingRun } from './reading.ts';
import { asTyped, hadEffect } from './readingOptions.ts';

/**
 * Adds an error for each option whose file is not among `files`, and a note for each option that changed no cell. It adds
 * no notes when a source has errors, because these may be the reason why an option changed nothing.
 */
export function reportUnusedOptions(
  files: readonly string[],
  { options, problems, reading }: ReadingRun,
): void {
  const hasErrors = problems.count('error', 'unreadable') > 0;
  for (const option of options.recorded) {
    const place = wholeFile(asTyped(option.option, option.value, option.file));
    if (option.file !== undefined && !files.includes(option.file)) {
      const hint = nearestWord(option.file, files);
      problems.add('error', place, {
        problem: `there is no source ${option.file}`,
        remedy: hint === undefined ? `name one of: ${files.join(', ')}` : `did you mean "${hint}"?`,
      });
    } else if (!hasErrors && !hadEffect(option, reading.effective)) {
      problems.add('note', place, {
        problem: `changed nothing in ${option.file ?? 'any file'}`,
        remedy: 'leave it out',
        kind: 'an option that changed nothing',
      });
    }
  }
}
