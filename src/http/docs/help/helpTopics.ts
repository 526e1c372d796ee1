// The sections of the documentation to which the help links of errors lead.

import type { HelpTopic } from '../../../errors.ts';
import type { HelpText } from './helpText.ts';
import { KEY_TOPICS } from './keyTopics.ts';
import { PARAMETER_TOPICS } from './parameterTopics.ts';
import { PATH_TOPICS } from './pathTopics.ts';
import { SNAPSHOT_AND_SUM_TOPICS } from './snapshotTopics.ts';

/**
 * The topics. A key is the anchor in the help link of an error: `Link: </docs#anchor>; rel="help"`. The page lists the
 * topics of each status in this order.
 */
export const HELP_TOPICS: Readonly<Record<HelpTopic, HelpText>> = {
  ...KEY_TOPICS,
  ...PARAMETER_TOPICS,
  ...SNAPSHOT_AND_SUM_TOPICS,
  ...PATH_TOPICS,
};
