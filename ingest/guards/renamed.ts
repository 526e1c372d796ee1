// Guard `renamed`: a value is gone, and a new one is spelled nearly alike or has its numbers; or countries got another region.

import { onlyOf } from '../../src/basics/lists.ts';
import type { DatasetComparison } from '../compare/types.ts';
import { count, listed, listedLines } from '../messages/numbers.ts';
import { MANY_COUNTRIES } from './completeness.ts';
import type { Severity } from './finding.ts';
import type { Guard, Suspicion, Words } from './guard.ts';
import type { Renaming } from './renamings.ts';
import { fewHolders, wordFor } from './wording.ts';

/** The number of pairs that a message names. */
const NAMED = 5;

interface DescribedAnew {
  /** The words for what a lookup says about countries: `region or type`. */
  readonly attributes: string;
  readonly countries: readonly string[];
}

type About = readonly Renaming[] | DescribedAnew;

/** Refuses renamed values, and warns of countries with another region or type. */
export const renamed: Guard<Renaming | DescribedAnew, About> = {
  find: (compared, { renamings }) => {
    const pairs = renamings.in(compared.dataset);
    return pairs.length > 0 ? pairs : describedAnew(compared);
  },
  gather: (found) => {
    const pairs = found.filter(isRenaming);
    const named = pairs.flatMap(({ dimension, from, countries }) =>
      dimension === 'country' ? [from] : countries,
    );
    const anew = found.filter((one): one is DescribedAnew => !isRenaming(one));
    return [
      ...(pairs.length === 0 ? [] : [suspicion('refuse', onlyOf(named), pairs)]),
      ...anew.map((one) => suspicion('warn', null, one)),
    ];
  },
  words: (about, { countries: all }) => ('attributes' in about ? anewWords(about) : pairWords(about, all)),
};

const suspicion = (severity: Severity, country: string | null, about: About): Suspicion<About> => ({
  rule: 'renamed',
  severity,
  country,
  about,
});

const isRenaming = (one: Renaming | DescribedAnew): one is Renaming => 'from' in one;

function pairWords(pairs: readonly Renaming[], all: number): Words {
  const each = pairs.map(({ dimension, from, to, why, countries }) => {
    const few = dimension === 'country' ? '' : fewHolders(countries, all);
    return `${dimension} "${from}" → "${to}"${few === '' ? '' : ` of ${few}`}, ${why}`;
  });
  const subject = pairs.length === 1 ? 'a value was renamed' : `${count(pairs.length)} values were renamed`;
  return { message: `${subject}: ${listed(each, NAMED)}`, lines: [subject, ...listedLines(each, NAMED)] };
}

/**
 * The countries that a lookup gives another region or type, if they are many. Patterns do not find this, because a lookup
 * has no figures.
 */
function describedAnew({
  metrics,
  breakdown: { countries, dimensions },
}: DatasetComparison): DescribedAnew[] {
  const anew = countries.filter(({ added, removed }) => added > 0 && removed > 0);
  if (Object.keys(metrics).length > 0 || anew.length < MANY_COUNTRIES) return [];
  const attributes = dimensions.map(({ dimension }) => wordFor(dimension)).join(' or ');
  return [{ attributes, countries: anew.map(({ country }) => country) }];
}

const anewWords = ({ attributes, countries }: DescribedAnew): Words => ({
  message: `${count(countries.length)} countries have another ${attributes} now: ${listed(countries, NAMED)}`,
});
