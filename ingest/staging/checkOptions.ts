// Reports reading options that cannot have done what was meant: for a file that is not there, or without effect.

import { wholeFile } from '../messages/place.ts';
import { nearestWord } from '../messages/spelling.ts';
import type { Destination } from './reading.ts';
import { hadEffect, typed } from './readingOptions.ts';

/**
 * Reports options for a file that is none of `files` as errors, and notes options that changed no cell. Errors in
 * the sources keep options from taking effect, so then nothing is noted.
 */
export function checkOptions(files: readonly string[], { options, problems, reading }: Destination): void {
  const isWhole = problems.count('error', 'unreadable') === 0;
  for (const option of options.recorded) {
    const place = wholeFile(typed(option));
    if (option.file !== undefined && !files.includes(option.file)) {
      const hint = nearestWord(option.file, files);
      problems.add('error', place, {
        problem: `there is no source ${option.file}`,
        remedy: hint === undefined ? `name one of: ${files.join(', ')}` : `did you mean "${hint}"?`,
      });
    } else if (isWhole && !hadEffect(option, reading.effective)) {
      problems.add('note', place, {
        problem: `changed nothing in ${option.file ?? 'any file'}`,
        remedy: 'leave it out',
        kind: 'an option that changed nothing',
      });
    }
  }
}
