// The words of the page around an answer: its frame, the form for the key, and notices.

import { dimensionLabel } from '../labels.ts';
import { countText } from '../model/numberFormats.ts';
import type { View } from '../model/question.ts';

export const SERVICE = 'Gambling data explorer';

export const VIEW_LABELS: Readonly<Record<View, string>> = {
  chart: 'Chart',
  table: 'Table',
  compare: 'Compare',
  code: 'Code',
  about: 'About',
};

export const FRAME = {
  skip: 'Skip to the content',
  service: 'Service',
  docs: 'API docs',
  left: 'Requests that this key has left',
  leftNow: (minute: number, day: number | null): string =>
    `${countText(minute)} left this minute${day === null ? '' : `, ${countText(day)} today`}`,
  forget: 'Forget key',
} as const;

export const KEY_FORM = {
  title: 'Explore the data',
  lead: 'Charts, tables and files of gross gaming revenue, turnover, exchange rates and country indicators, by country, product, channel and year.',
  label: 'Your API key',
  hint: 'It begins with sk_live_. It stays in this tab and is never in a link.',
  button: 'Open the explorer',
  where:
    'No key yet? Ask the person who runs this service for a claim link, open it and press its button: the key on the next page is yours.',
  empty: 'Paste your key first.',
  refused: 'This key is not valid. It may be mistyped, revoked or expired. Your question is still here.',
  forgotten: 'The key is forgotten.',
} as const;

export const ANSWER = {
  asking: 'Asking…',
  opening: 'Opening…',
  views: 'Views',
} as const;

export const NOTICES = {
  askNow: 'Ask now',
  noDataset: 'There is no dataset',
  chooseOne: 'Choose one:',
  refused: 'The service cannot answer this',
  now: 'Now…',
  inSeconds: (seconds: number): string => `The next attempt is in ${seconds} s.`,
  noValues: (count: number): string =>
    count === 1 ? 'One value does not exist' : `${count} values do not exist`,
  hasNo: (dimension: string): string => `${dimensionLabel(dimension)} has no`,
  meant: 'Did you mean',
  more: (count: number): string => `And ${count} more.`,
  without: (count: number): string => `Go on without ${count === 1 ? 'it' : 'them'}`,
  leftOut: 'Some parts of this link do not fit the data. They were left out:',
  mistakes: { metric: 'the metric', dimension: 'the filter', split: 'the split by' },
  known: (names: string): string => `The data has: ${names}`,
} as const;

export const AWAY = {
  limited: {
    title: 'This key has used up its requests for now',
    text: 'Nothing is lost. This page tries again by itself.',
  },
  away: {
    title: 'The service does not answer',
    text: 'It may be restarting, or the network is down. Nothing is lost. This page tries again by itself.',
  },
  below: 'Below is the answer to the question before.',
} as const;

/** The notice of an error in the page itself. */
export const FAULT = {
  title: 'This page has made an error',
  text: 'What it shows may not answer your question. Load the page again: the address has the question, and the key stays.',
  reload: 'Load the page again',
} as const;

export const SNAPSHOT_GONE = {
  title: 'is not retained',
  text: 'It may have been pruned, be older than the first publication, or have never existed. Another snapshot may have other numbers.',
  below: 'Below is its last answer. It stays until you ask for something else.',
  useCurrent: 'Use the current data',
  use: (snapshot: string): string => `Use ${snapshot}`,
} as const;

/** Says that another snapshot answers now. If the earlier one is no longer retained, says this too. */
export const replacedText = (before: string, now: string, isRetained: boolean): string =>
  `The data was updated: ${now} answers now.${isRetained ? '' : ` ${before} is no longer retained.`}`;
