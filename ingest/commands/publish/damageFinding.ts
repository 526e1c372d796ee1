// Makes the finding that the current snapshot is damaged, which a person can accept like the finding of a guard.

import type { Manifest } from '../../../src/catalog/manifest.ts';
import { CURRENT_DAMAGED, currentDamage } from '../../store/currentDamage.ts';
import type { PublishOptions } from './publishOptions.ts';

/** The finding that the current snapshot is damaged. No guard can examine the month then. */
export interface DamageFinding {
  readonly rule: typeof CURRENT_DAMAGED;
  readonly dataset: null;
  readonly severity: 'refuse';
  readonly message: string;
  readonly accept: string;
  /** The reason a person gave for accepting it; null when nobody did. */
  readonly accepted: string | null;
}

/** The damage that prevents a comparison with the current snapshot; null when it is whole, or there is none. */
export async function damageFinding({
  dataDir,
  damagedCurrentReason,
}: PublishOptions): Promise<DamageFinding | null> {
  const damage = await currentDamage(dataDir);
  if (damage === null) return null;
  return {
    rule: CURRENT_DAMAGED,
    dataset: null,
    severity: 'refuse',
    message: `${damage}; make a whole snapshot current with rollback, so that guards can look`,
    accept: `--accept ${CURRENT_DAMAGED} --reason "…"`,
    accepted: damagedCurrentReason,
  };
}

/** The entry of the manifest about a damaged current snapshot that a person accepted. */
export const acceptedDamage = (damage: DamageFinding | null): Manifest['accepted'] =>
  damage === null || damage.accepted === null
    ? []
    : [{ rule: damage.rule, reason: damage.accepted, findings: [damage.message] }];
