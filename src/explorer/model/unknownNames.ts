// Finds the names in a question that the dataset does not have.

import type { DatasetFacts } from '../api/responseTypes.ts';
import { dimensionNames, metricOf } from './facts.ts';
import { NO_SPLIT, type Question } from './question.ts';
import { splitDimensions } from './selection.ts';

/** A name in the address that the dataset does not have. */
export interface UnknownName {
  readonly kind: 'metric' | 'dimension' | 'split';
  readonly name: string;
  readonly knownNames: readonly string[];
}

/** Removes unknown names from a question, and lists them. */
export function withoutUnknownNames(
  question: Question,
  dataset: DatasetFacts,
): { question: Question; unknownNames: readonly UnknownName[] } {
  const knownNames = dimensionNames(dataset);
  const unknownNames: UnknownName[] = [];
  let corrected = question;
  // A lookup has no years. The period stays in the address, for the next dataset.
  if (!knownNames.includes('year')) corrected = { ...corrected, firstYear: null, lastYear: null };
  if (question.metric !== '' && metricOf(dataset, question.metric) === null) {
    unknownNames.push({
      kind: 'metric',
      name: question.metric,
      knownNames: dataset.metrics.map(({ name }) => name),
    });
    corrected = { ...corrected, metric: '', chartKind: '', axisScale: 'linear' };
  }
  for (const name of Object.keys(question.filters).filter((dimension) => !knownNames.includes(dimension))) {
    unknownNames.push({ kind: 'dimension', name, knownNames });
    const { [name]: _, ...filters } = corrected.filters;
    corrected = { ...corrected, filters };
  }
  if (question.by !== '' && question.by !== NO_SPLIT && !splitDimensions(dataset).includes(question.by)) {
    unknownNames.push({ kind: 'split', name: question.by, knownNames: splitDimensions(dataset) });
    corrected = { ...corrected, by: '' };
  }
  return {
    question: {
      ...corrected,
      unfilteredDimensions: corrected.unfilteredDimensions.filter((name) => knownNames.includes(name)),
    },
    unknownNames,
  };
}
