// The table of all settings: the default, the meaning, the limits and the parser of each.

import { maskRedisPassword, parseRedisAddress, REDIS_ADDRESS_FORMS } from '../access/redis/redisAddress.ts';
import { parseStoreAddress } from '../catalog/storeAddress.ts';
import { usableBytes, usableCores } from '../system/machine.ts';
import { guardSettings } from './guardSettings.ts';
import {
  maskUser,
  parseAllowed,
  parseCallable,
  parseFolder,
  parseHost,
  parseIssuer,
  parseLine,
  parseOrigins,
  parsePublicAddress,
  wholeNumber,
} from './settingTexts.ts';

/** One setting: how it is described, parsed and refused. */
export interface Setting {
  /** The default as text, or its description when `defaultValue` gives the value. */
  readonly fallback: string;
  readonly description: string;
  /** What a value is, for the error message `"x" is not a port`. */
  readonly what: string;
  /** What the error message tells people to use. */
  readonly allowed: string;
  /** Parses the text; undefined when it is not allowed. */
  readonly parse: (text: string) => unknown;
  /** Gives the default value when `fallback` is only a description of it. */
  readonly defaultValue?: () => unknown;
  /** Masks secrets in a wrong value before the error message shows it. */
  readonly masked?: (text: string) => string;
}

/** The bytes of a megabyte, as `SNAPSHOT_MEMORY_MB` counts them. */
export const MEGABYTE = 2 ** 20;
const MONTH_SECONDS = 30 * 24 * 60 * 60;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The limits of a whole number, and its parser. `more` follows the limits in the error message. */
const whole = (least: number, most: number, more = '') => ({
  allowed: `a whole number from ${least} to ${most}${more}`,
  parse: wholeNumber(least, most),
});

/** What the error message of a secret or an id tells people to use. */
const A_LINE = 'a text in one line, without spaces around it';

const serverSettings = {
  PORT: {
    fallback: '3000',
    description: 'Where the server listens',
    what: 'a port',
    ...whole(1, 65_535),
  },
  HOST: {
    fallback: '127.0.0.1',
    description: 'The address or name it listens on',
    what: 'a host',
    allowed: 'an address or a name, such as 127.0.0.1',
    parse: parseHost,
  },
  DATA_DIR: {
    fallback: './data',
    description: 'The folder of sources, snapshots and `current`',
    what: 'a folder',
    allowed: 'a path, without spaces or quotes around it; ~ and $HOME are not expanded',
    parse: parseFolder,
  },
  PUBLIC_URL: {
    fallback: 'http://HOST:PORT',
    description:
      'What claim and sign-in links begin with: the address by which people reach the server; where `HOST` is 0.0.0.0 or ::, the default names 127.0.0.1 or [::1]',
    what: 'an address for links',
    allowed: 'http:// or https:// with a host, and no query',
    parse: parsePublicAddress,
    defaultValue: () => null,
    masked: maskUser,
  },
  TRUST_PROXY_HOPS: {
    fallback: '0',
    description:
      'How many proxies are in front of the server; their entries in `X-Forwarded-For` are believed',
    what: 'a number of proxies',
    ...whole(0, 100),
  },
  CORS_ORIGINS: {
    fallback: 'none',
    description: 'The origins whose web pages may ask the API from a browser, with a key of their own',
    what: 'a list of origins',
    allowed: '*, or origins such as https://example.org with commas between',
    parse: parseOrigins,
    defaultValue: () => null,
  },
  PROCESSES: {
    fallback: '1',
    description: 'Server processes that share the port; each holds the snapshot in memory of its own',
    what: 'a number of processes',
    allowed: 'a whole number from 1 to 64, or auto: one for each core',
    parse: (text) => (text === 'auto' ? usableCores() : wholeNumber(1, 64)(text)),
  },
  LOG_LEVEL: {
    fallback: 'info',
    description: 'The lowest level that is logged on stderr: as readable lines on a terminal, else as JSON',
    what: 'a level',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    parse: (text) => LOG_LEVELS.find((level) => level === text),
  },
  ACCESS_LOG: {
    fallback: 'on',
    description: 'Whether every answered request is logged, at level info',
    what: 'a switch',
    allowed: 'on or off',
    parse: (text) => ({ on: true, off: false })[text],
  },
  METRICS_PORT: {
    fallback: 'no metrics',
    description: 'Where `GET /metrics` listens, on `HOST`; keep clients away from it',
    what: 'a port',
    ...whole(1, 65_535, ', not that of PORT'),
    defaultValue: () => null,
  },
  WARM_UP_SECONDS: {
    fallback: '3',
    description:
      'How long a fresh server may send itself requests, so that those of clients are fast; `/readyz` waits for it',
    what: 'a number of seconds',
    ...whole(0, 60, '; 0 skips it'),
  },
  CACHE_MAX_AGE_SECONDS: {
    fallback: '3600',
    description: 'How long clients may keep an answer without asking again',
    what: 'a number of seconds',
    ...whole(0, MONTH_SECONDS, ', which is 30 days'),
  },
  SNAPSHOT_MEMORY_MB: {
    fallback: 'half of what the process may use',
    description:
      'The memory for all open snapshots together, in all processes; a snapshot that does not fit is refused',
    what: 'a number of megabytes',
    ...whole(1, 1_048_576),
    defaultValue: () => Math.floor(usableBytes() / 2 / MEGABYTE),
  },
} as const satisfies Record<string, Setting>;

const keySettings = {
  REDIS_URL: {
    fallback: 'a private redis-server',
    description: 'Where keys, invites and limits are kept; several servers share one',
    what: 'an address of Redis',
    allowed: REDIS_ADDRESS_FORMS,
    parse: parseRedisAddress,
    defaultValue: () => null,
    masked: maskRedisPassword,
  },
  RATE_LIMIT_PER_MINUTE: {
    fallback: '100',
    description: 'Requests a key may make in any 60 seconds, unless it has a limit of its own',
    what: 'a number of requests',
    ...whole(1, Number.MAX_SAFE_INTEGER),
  },
  RATE_LIMIT_PER_DAY: {
    fallback: '10000',
    description: 'The same for any 24 hours',
    what: 'a number of requests',
    ...whole(1, Number.MAX_SAFE_INTEGER),
  },
} as const satisfies Record<string, Setting>;

const signInSettings = {
  OIDC_ISSUER: {
    fallback: 'none',
    description:
      'The OpenID Connect provider through which the team signs in; its callback is `PUBLIC_URL`/admin/oidc',
    what: 'an issuer',
    allowed: 'an https:// address, or http:// on this machine',
    parse: parseIssuer,
    defaultValue: () => null,
    masked: maskUser,
  },
  OIDC_CLIENT_ID: {
    fallback: 'none',
    description: 'The id of this service at `OIDC_ISSUER`',
    what: 'an id',
    allowed: A_LINE,
    parse: parseLine,
    defaultValue: () => null,
  },
  OIDC_CLIENT_SECRET: {
    fallback: 'none',
    description: 'Its secret there',
    what: 'a secret',
    allowed: A_LINE,
    parse: parseLine,
    defaultValue: () => null,
    masked: () => '…',
  },
  OIDC_ALLOW: {
    fallback: 'none',
    description: 'Who may sign in: verified e-mail addresses, or domains of them',
    what: 'a list of addresses and domains',
    allowed: 'addresses or domains with commas between, such as jane@example.org, example.com',
    parse: parseAllowed,
    defaultValue: () => null,
  },
  OIDC_ROLE_CLAIM: {
    fallback: 'roles',
    description:
      'The claim that holds the role: viewer, manager or owner; without one a person is a viewer, unless an owner names another role',
    what: 'a claim',
    allowed: 'a name without spaces',
    parse: (text: string) => (/^\S+$/.test(text) ? text : undefined),
  },
} as const satisfies Record<string, Setting>;

const storeSettings = {
  SNAPSHOT_STORE: {
    fallback: 'none',
    description:
      'The S3-compatible store that servers follow and commands publish to, with the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and `AWS_ENDPOINT_URL_S3`',
    what: 'a store',
    allowed: 's3://bucket or s3://bucket/prefix',
    parse: parseStoreAddress,
    defaultValue: () => null,
  },
  SNAPSHOT_POLL_SECONDS: {
    fallback: '10',
    description: 'How often a server asks the store for the current snapshot',
    what: 'a number of seconds',
    ...whole(1, 3600),
  },
  PUBLISH_WEBHOOK: {
    fallback: 'none',
    description: 'The address that `ingest watch` tells of every month that it published or refused',
    what: 'an address',
    allowed: 'http:// or https:// with a host, and no user or password',
    parse: parseCallable,
    defaultValue: () => null,
    masked: maskUser,
  },
  PUBLISH_WEBHOOK_SECRET: {
    fallback: 'none',
    description: 'Signs those calls with HMAC-SHA-256',
    what: 'a secret',
    allowed: A_LINE,
    parse: parseLine,
    defaultValue: () => null,
    masked: () => '***',
  },
} as const satisfies Record<string, Setting>;

/** The settings by what they are for, in the order of the documents. A test compares the documents' tables with them. */
export const SETTING_GROUPS = {
  'The server': serverSettings,
  'Keys and limits': keySettings,
  'Signing in with OpenID Connect': signInSettings,
  'A shared store, and a webhook': storeSettings,
  'The limits of the guards': guardSettings,
} as const satisfies Record<string, Record<string, Setting>>;

/** All settings by their names. */
export const SETTINGS = {
  ...serverSettings,
  ...keySettings,
  ...signInSettings,
  ...storeSettings,
  ...guardSettings,
};

export type SettingName = keyof typeof SETTINGS;
