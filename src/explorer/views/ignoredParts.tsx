// The notice for the parts of an address that the page does not use, such as names that the data does not have.

import type { VNode } from 'preact';
import { dimensionLabel, metricLabel } from '../labels.ts';
import type { UnknownName } from '../model/unknownNames.ts';
import { NOTICES } from '../texts/pageTexts.ts';

/** The most unknown names, and the most ignored parameters, that are listed. */
const MAX_LISTED = 8;

/** Lists the parts of an address that were left out. */
export function IgnoredParts({
  unknownNames,
  ignored,
  lead = NOTICES.leftOut,
}: {
  unknownNames: readonly UnknownName[];
  ignored: readonly string[];
  lead?: string;
}): VNode | null {
  if (unknownNames.length === 0 && ignored.length === 0) return null;
  const unlisted = [unknownNames, ignored].reduce(
    (sum, { length }) => sum + Math.max(0, length - MAX_LISTED),
    0,
  );
  return (
    <div class="notice" role="status">
      <p>{lead}</p>
      <ul>
        {unknownNames.slice(0, MAX_LISTED).map((mistake) => (
          <li>{unknownNameText(mistake)}</li>
        ))}
        {ignored.slice(0, MAX_LISTED).map((pair) => (
          <li>
            <bdi>{pair}</bdi>
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p>{NOTICES.more(unlisted)}</p>}
    </div>
  );
}

function unknownNameText({ kind, name, knownNames }: UnknownName): VNode {
  const names = knownNames
    .map((one) => (kind === 'metric' ? metricLabel(one) : dimensionLabel(one)))
    .join(', ');
  return (
    <span>
      {NOTICES.mistakes[kind]} <bdi>“{name}”</bdi>
      {names === '' ? '' : `. ${NOTICES.known(names)}`}
    </span>
  );
}
