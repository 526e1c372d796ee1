// Parses the environment variables of all settings into a frozen Config.

import { isIP } from 'node:net';
import type { RedisAddress } from '../access/redis/redisAddress.ts';
import type { StoreAddress } from '../catalog/storeAddress.ts';
import { type LogLevel, MEGABYTE, SETTINGS, type Setting, type SettingName } from './settings.ts';

/** The parsed settings. `settings.ts` describes each of them. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** The absolute path of the data directory. */
  readonly dataDir: string;
  readonly processes: number;
  readonly logLevel: LogLevel;
  readonly hasAccessLog: boolean;
  /** The port of the metrics; null for no metrics. */
  readonly metricsPort: number | null;
  /** The longest warm-up; 0 for none. */
  readonly warmUpSeconds: number;
  readonly cacheMaxAgeSeconds: number;
  readonly snapshotMemoryBytes: number;
  /** The address of Redis; null for the private Redis of the data directory. */
  readonly redis: RedisAddress | null;
  /** The beginning of links for people, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether `PUBLIC_URL` is unset, so that links begin with the address on which the server listens. */
  readonly publicUrlIsDefault: boolean;
  /**
   * Whether the server listens on all addresses but `PUBLIC_URL` is unset. Links then name the loopback address, so they
   * work only on this machine.
   */
  readonly linksLeadHereOnly: boolean;
  readonly rateLimits: RateLimits;
  readonly trustProxyHops: number;
  /** The origins whose web pages may call the API from a browser; `*` for all origins, null for none. */
  readonly corsOrigins: readonly string[] | '*' | null;
  /** The identity provider with which the team signs in; null when people sign in only with one-time links. */
  readonly oidc: {
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly allow: readonly string[];
    readonly roleClaim: string;
  } | null;
  /** The store that the server follows; null when snapshots are only on this machine. */
  readonly snapshotStore: StoreAddress | null;
  readonly snapshotPollMs: number;
  /** The webhook that `ingest watch` calls with the result of each publication; null for none. */
  readonly publishWebhook: { readonly url: string; readonly secret: string } | null;
  readonly guards: {
    readonly rows: Band;
    readonly totals: Band;
    readonly closedYears: Band;
    readonly country: Band;
    readonly part: Band;
    readonly material: Band;
  };
}

/** The smallest shares at which a guard warns or refuses; 0.05 is 5 %. `settings.ts` says of what each is a share. */
export interface Band {
  readonly warn: number;
  readonly refuse: number;
}

/** How many requests a key may make in any 60 seconds and in any 24 hours, unless it has limits of its own. */
export interface RateLimits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** A setting has a wrong value. The message names the setting, its value and what is allowed. Commands exit with 2. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

/**
 * Parses the settings of an environment.
 *
 * @throws {ConfigError} when a value is not allowed, contradicts another setting, or needs another setting that is missing.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const read: Read = (name) => settingOf(environment, name);
  const port = read('PORT');
  const host = read('HOST');
  const publicUrl = read('PUBLIC_URL');
  return Object.freeze({
    port,
    host,
    dataDir: read('DATA_DIR'),
    processes: read('PROCESSES'),
    logLevel: read('LOG_LEVEL'),
    hasAccessLog: read('ACCESS_LOG'),
    metricsPort: metricsPortOf(read, port),
    warmUpSeconds: read('WARM_UP_SECONDS'),
    cacheMaxAgeSeconds: read('CACHE_MAX_AGE_SECONDS'),
    snapshotMemoryBytes: read('SNAPSHOT_MEMORY_MB') * MEGABYTE,
    redis: read('REDIS_URL'),
    publicUrl: publicUrl ?? listeningUrl(loopbackOf(host) ?? withoutZone(host), port),
    publicUrlIsDefault: publicUrl === null,
    linksLeadHereOnly: publicUrl === null && loopbackOf(host) !== null,
    rateLimits: Object.freeze({
      perMinute: read('RATE_LIMIT_PER_MINUTE'),
      perDay: read('RATE_LIMIT_PER_DAY'),
    }),
    trustProxyHops: read('TRUST_PROXY_HOPS'),
    corsOrigins: read('CORS_ORIGINS'),
    oidc: oidcOf(read),
    snapshotPollMs: read('SNAPSHOT_POLL_SECONDS') * 1000,
    snapshotStore: read('SNAPSHOT_STORE'),
    publishWebhook: webhookOf(read),
    guards: guardsOf(read),
  });
}

/** Reads one setting of the environment. */
type Read = <Name extends SettingName>(name: Name) => ValueOf<(typeof SETTINGS)[Name]>;

type ValueOf<Of extends Setting> =
  | Exclude<ReturnType<Of['parse']>, undefined>
  | (Of extends { readonly defaultValue: () => infer Default } ? Default : never);

/**
 * The value of one setting, or its default.
 *
 * @throws {ConfigError} when the value is not allowed.
 */
function settingOf<Name extends SettingName>(
  environment: Readonly<Record<string, string | undefined>>,
  name: Name,
): ValueOf<(typeof SETTINGS)[Name]> {
  const setting: Setting = SETTINGS[name];
  const text = environment[name];
  const value =
    text === undefined && setting.defaultValue
      ? setting.defaultValue()
      : setting.parse(text ?? setting.fallback);
  if (value !== undefined) return value as ValueOf<(typeof SETTINGS)[Name]>;
  const shown = JSON.stringify(text === undefined ? text : (setting.masked?.(text) ?? text));
  throw new ConfigError(`${name}: ${shown} is not ${setting.what}; use ${setting.allowed}`);
}

/** The URL of a server that listens on this host and port. */
export const listeningUrl = (host: string, port: number): string =>
  `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/** The loopback address for a host that means all addresses, such as `0.0.0.0`, `0` or `::`; null for other hosts. */
function loopbackOf(host: string): string | null {
  if (/^(?:0+\.){0,3}0+$/.test(host)) return '127.0.0.1';
  const isAnyAddress =
    isIP(host) === 6 && /^\[::(?:ffff:0:0)?\]$/.test(new URL(`http://[${withoutZone(host)}]`).hostname);
  return isAnyAddress ? '::1' : null;
}

/**
 * A host without the zone of an IPv6 address, as in `fe80::1%eth0`. A zone names a network interface of this machine, so it
 * does not belong in a link.
 */
const withoutZone = (host: string): string => host.replace(/%.*$/, '');

/**
 * The port of the metrics; null for none.
 *
 * @throws {ConfigError} when it is also the port of the server.
 */
function metricsPortOf(read: Read, port: number): number | null {
  const metricsPort = read('METRICS_PORT');
  if (metricsPort !== port) return metricsPort;
  throw new ConfigError(
    `METRICS_PORT: "${metricsPort}" is that of PORT; use ${SETTINGS.METRICS_PORT.allowed}`,
  );
}

/**
 * The address of the webhook with the secret that signs its calls; null without an address.
 *
 * @throws {ConfigError} when the secret is missing.
 */
function webhookOf(read: Read): Config['publishWebhook'] {
  const url = read('PUBLISH_WEBHOOK');
  const secret = read('PUBLISH_WEBHOOK_SECRET');
  if (url === null) return null;
  if (secret !== null) return Object.freeze({ url, secret });
  throw new ConfigError(
    'PUBLISH_WEBHOOK_SECRET: missing; set it to the secret that signs the calls of PUBLISH_WEBHOOK',
  );
}

/**
 * The settings of the identity provider; null without one.
 *
 * @throws {ConfigError} when only some of the four settings that a provider needs are set.
 */
function oidcOf(read: Read): Config['oidc'] {
  const issuer = read('OIDC_ISSUER');
  const clientId = read('OIDC_CLIENT_ID');
  const clientSecret = read('OIDC_CLIENT_SECRET');
  const allow = read('OIDC_ALLOW');
  const roleClaim = read('OIDC_ROLE_CLAIM');
  const needed = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_ALLOW: allow,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === null ? [name] : []));
  if (missing.length === Object.keys(needed).length) return null;
  if (issuer === null || clientId === null || clientSecret === null || allow === null)
    throw new ConfigError(`${missing[0]}: missing; set it, because signing in through a provider needs it`);
  return Object.freeze({ issuer, clientId, clientSecret, allow, roleClaim });
}

/**
 * The limits of each guard.
 *
 * @throws {ConfigError} when a guard would begin to warn above the limit at which it refuses.
 */
function guardsOf(read: Read): Config['guards'] {
  type ShareName = Extract<SettingName, `GUARD_${string}`>;
  const band = (warnName: ShareName, refuseName: ShareName): Band => {
    const warn = read(warnName);
    const refuse = read(refuseName);
    if (warn <= refuse) return Object.freeze({ warn, refuse });
    throw new ConfigError(
      `${warnName}: ${warn} is above ${refuseName}, which is ${refuse}; use at most ${refuse}, or set ${refuseName} to at least ${warn}`,
    );
  };
  return Object.freeze({
    rows: band('GUARD_ROWS_WARN', 'GUARD_ROWS_REFUSE'),
    totals: band('GUARD_TOTALS_WARN', 'GUARD_TOTALS_REFUSE'),
    closedYears: band('GUARD_CLOSED_YEARS_WARN', 'GUARD_CLOSED_YEARS_REFUSE'),
    country: band('GUARD_COUNTRY_WARN', 'GUARD_COUNTRY_REFUSE'),
    part: band('GUARD_PART_WARN', 'GUARD_PART_REFUSE'),
    material: band('GUARD_MATERIAL_WARN', 'GUARD_MATERIAL_REFUSE'),
  });
}
