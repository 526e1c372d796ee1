// Finds settings that are allowed but probably a mistake: misspelt names, and values that other settings contradict.

import { usableBytes } from '../system/machine.ts';
import type { Config } from './config.ts';
import { guardSettings } from './guardSettings.ts';
import { MEGABYTE, SETTINGS, type SettingName } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Advice on the variables of an environment, a sentence for each one that is probably a mistake: its name is nearly that of
 * a setting that is not set, it needs a setting that is not set, or it is a share above 100 %. Nothing refuses them,
 * because other programs may have such variables, and a share may be meant.
 */
export function settingsAdvice(environment: Environment): readonly string[] {
  const isSet = (name: string) => environment[name] !== undefined;
  const unset = Object.keys(SETTINGS).filter((name) => !isSet(name));
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const needed = NEEDED_SETTING.get(name);
    if (needed !== undefined && !isSet(needed))
      return [`${name} has no effect, because ${needed} is not set`];
    if (Object.hasOwn(guardSettings, name) && Number(value) > 1)
      return [`${name} is ${value}, which is ${percentOf(Number(value))} %; write 0.05 for 5 %`];
    const meant = name in SETTINGS ? undefined : unset.find((setting) => isMisspelt(name, setting));
    return meant === undefined ? [] : [`${name} is not a setting and has no effect; did you mean ${meant}?`];
  });
}

/** Settings that have an effect only beside another one. The other settings for OpenID Connect are refused alone. */
const NEEDED_SETTING: ReadonlyMap<string, SettingName> = new Map([
  ['OIDC_ROLE_CLAIM', 'OIDC_ISSUER'],
  ['SNAPSHOT_POLL_SECONDS', 'SNAPSHOT_STORE'],
  ['PUBLISH_WEBHOOK_SECRET', 'PUBLISH_WEBHOOK'],
]);

/** A share as a percentage, without the rounding error of the multiplication. */
const percentOf = (share: number): number => Number((share * 100).toPrecision(12));

/**
 * Whether a name is a setting's name with one slip, in other case, without underscores, or without its last words. Names
 * of up to four letters, such as PORT, are near many other words, so they match only in other case.
 */
function isMisspelt(name: string, setting: string): boolean {
  const [written, meant] = [lettersOf(name), lettersOf(setting)];
  if (written === meant) return true;
  if (meant.length <= 4) return false;
  const hasTwoWords = /[^_]_[^_]/.test(name);
  return isOneSlip(written, meant) || (hasTwoWords && meant.startsWith(written));
}

const lettersOf = (name: string): string => name.toUpperCase().replaceAll(/[_-]/g, '');

/** Whether two texts differ by one letter that is missing or another one, or by two neighbouring letters exchanged. */
function isOneSlip(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [before, after] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const isExchanged = before.length === 2 && after === `${before[1]}${before[0]}`;
  return isExchanged || Math.max(before.length, after.length) === 1;
}

/**
 * Advice on settings of the server that contradict another setting or the machine, a sentence for each.
 *
 * @param memoryBytes the memory that the server may use.
 */
export function serverAdvice(
  { publicUrl, trustProxyHops, rateLimits, snapshotMemoryBytes }: Config,
  memoryBytes: number = usableBytes(),
): readonly string[] {
  const advice: string[] = [];
  if (publicUrl.startsWith('https:') && trustProxyHops === 0)
    advice.push(
      'TRUST_PROXY_HOPS is 0, but PUBLIC_URL begins with https: if the proxy for TLS adds to X-Forwarded-For, set it to ' +
        'the number of proxies, or all clients without a valid key share the limit of one address',
    );
  if (rateLimits.perMinute > rateLimits.perDay)
    advice.push(
      `RATE_LIMIT_PER_MINUTE is ${rateLimits.perMinute}, which has no effect, because RATE_LIMIT_PER_DAY is ${rateLimits.perDay}`,
    );
  if (snapshotMemoryBytes > memoryBytes)
    advice.push(
      `SNAPSHOT_MEMORY_MB is ${inMegabytes(snapshotMemoryBytes)}, but the server may use only ${inMegabytes(memoryBytes)} MB: ` +
        'a snapshot that does not fit would end it; use less',
    );
  return advice;
}

const inMegabytes = (bytes: number): number => Math.floor(bytes / MEGABYTE);
