// Guard `renamed`: a value is gone, and a new one is near in spelling or in numbers; or countries got another region.

import { onlyOf } from '../../src/basics/lists.ts';
import type { DatasetComparison } from '../compare/comparisonTypes.ts';
import { count, listed, listedLines } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import type { GuardSeverity } from './finding.ts';
import type { FindingText, Guard, Suspicion } from './guard.ts';
import type { Renaming } from './renamings.ts';
import { dimensionWord, fewCountriesText } from './wording.ts';

/** The number of pairs that a message names. */
const MOST_NAMED = 5;

interface ReclassifiedCountries {
  /** The words for what a lookup says about countries: `region or type`. */
  readonly attributes: string;
  readonly countries: readonly string[];
}

type AboutRenamed = readonly Renaming[] | ReclassifiedCountries;

/** Refuses renamed values, and warns of countries with another region or type. */
export const renamedGuard: Guard<Renaming | ReclassifiedCountries, AboutRenamed> = {
  find: (compared, { renamings }) => {
    const pairs = renamings.in(compared.dataset);
    return pairs.length > 0 ? pairs : reclassifiedCountries(compared);
  },
  gather: (found) => {
    const pairs = found.filter(isRenaming);
    const named = pairs.flatMap(({ dimension, from, countries }) =>
      dimension === 'country' ? [from] : countries,
    );
    const reclassified = found.filter((one): one is ReclassifiedCountries => !isRenaming(one));
    return [
      ...(pairs.length === 0 ? [] : [suspicion('refuse', onlyOf(named), pairs)]),
      ...reclassified.map((one) => suspicion('warn', null, one)),
    ];
  },
  words: (about, { countries: all }) =>
    'attributes' in about ? reclassifiedWords(about) : pairWords(about, all),
};

const suspicion = (
  severity: GuardSeverity,
  country: string | null,
  about: AboutRenamed,
): Suspicion<AboutRenamed> => ({
  rule: 'renamed',
  severity,
  country,
  about,
});

const isRenaming = (one: Renaming | ReclassifiedCountries): one is Renaming => 'from' in one;

function pairWords(pairs: readonly Renaming[], all: number): FindingText {
  const each = pairs.map(({ dimension, from, to, evidence, countries }) => {
    const few = dimension === 'country' ? '' : fewCountriesText(countries, all);
    return `${dimension} "${from}" → "${to}"${few === '' ? '' : ` of ${few}`}, ${evidence}`;
  });
  const subject = pairs.length === 1 ? 'a value was renamed' : `${count(pairs.length)} values were renamed`;
  return {
    message: `${subject}: ${listed(each, MOST_NAMED)}`,
    lines: [subject, ...listedLines(each, MOST_NAMED)],
  };
}

/**
 * The countries that a lookup gives another region or type, if they are many. Patterns do not find this, because a lookup
 * has no figures.
 */
function reclassifiedCountries({
  metrics,
  breakdown: { countries, dimensions },
}: DatasetComparison): ReclassifiedCountries[] {
  const reclassified = countries.filter(({ added, removed }) => added > 0 && removed > 0);
  if (Object.keys(metrics).length > 0 || reclassified.length < MANY_COUNTRIES) return [];
  const attributes = dimensions.map(({ dimension }) => dimensionWord(dimension)).join(' or ');
  return [{ attributes, countries: reclassified.map(({ country }) => country) }];
}

const reclassifiedWords = ({ attributes, countries }: ReclassifiedCountries): FindingText => ({
  message: `${count(countries.length)} countries have another ${attributes} now: ${listed(countries, MOST_NAMED)}`,
});
