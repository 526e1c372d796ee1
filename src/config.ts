// Parses the environment once into a frozen Config: every setting with its default, meaning and limits, as data.

import os from 'node:os';
import path from 'node:path';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly cacheMaxAgeSeconds: number;
  readonly snapshotMemoryBytes: number;
}

/** A wrong setting: one line with its name, what it held and what is allowed. Exit code 2. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

export interface Setting<Value = unknown> {
  /** As it would be written; where it depends on the machine, in words. */
  readonly fallback: string;
  readonly description: string;
  /** What a wrong value is not: `a port`. */
  readonly what: string;
  /** What to write instead. */
  readonly allowed: string;
  /** `undefined` when the text is not allowed. */
  readonly parse: (text: string) => Value | undefined;
  /** Where the default cannot be written down. */
  readonly otherwise?: () => Value;
}

const MEGABYTE = 2 ** 20;
const MONTH_SECONDS = 30 * 24 * 60 * 60;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

const wholeNumber = (least: number, most: number) => (text: string) =>
  /^[0-9]+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;

/** In the order of the README's table, which a test compares with this one. */
export const SETTINGS = {
  PORT: {
    fallback: '3000',
    description: 'Where the server listens',
    what: 'a port',
    allowed: 'a whole number from 1 to 65535',
    parse: wholeNumber(1, 65_535),
  },
  HOST: {
    fallback: '127.0.0.1',
    description: 'The address or name it listens on',
    what: 'a host',
    allowed: 'an address or a name, such as 127.0.0.1',
    parse: (text) => (/^[0-9A-Za-z:.%_-]+$/.test(text) ? text : undefined),
  },
  DATA_DIR: {
    fallback: './data',
    description: 'The folder of sources, snapshots and `current`',
    what: 'a folder',
    allowed: 'a path',
    parse: (text) => (text === '' ? undefined : path.resolve(text)),
  },
  LOG_LEVEL: {
    fallback: 'info',
    description: 'The least that is logged, as JSON lines on stderr',
    what: 'a level',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    parse: (text) => LOG_LEVELS.find((level) => level === text),
  },
  CACHE_MAX_AGE_SECONDS: {
    fallback: '3600',
    description: 'How long clients may keep an answer without asking again',
    what: 'a number of seconds',
    allowed: `a whole number from 0 to ${MONTH_SECONDS}, which is 30 days`,
    parse: wholeNumber(0, MONTH_SECONDS),
  },
  SNAPSHOT_MEMORY_MB: {
    fallback: 'half of what the process may use',
    description: 'What all open snapshots may take of memory together; a larger one is refused',
    what: 'a number of megabytes',
    allowed: 'a whole number from 1 to 1048576',
    parse: wholeNumber(1, 1_048_576),
    otherwise: () => Math.floor(usableBytes() / 2 / MEGABYTE),
  },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof SETTINGS;

/**
 * The configuration that an environment asks for.
 *
 * @throws {ConfigError} for the first setting, in the order of the table, that holds what is not allowed.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const read = <Value>(name: SettingName, setting: Setting<Value>): Value => {
    const text = environment[name];
    if (text === undefined && setting.otherwise) return setting.otherwise();
    const value = setting.parse(text ?? setting.fallback);
    if (value !== undefined) return value;
    throw new ConfigError(`${name}: ${JSON.stringify(text)} is not ${setting.what}; use ${setting.allowed}`);
  };
  return Object.freeze({
    port: read('PORT', SETTINGS.PORT),
    host: read('HOST', SETTINGS.HOST),
    dataDir: read('DATA_DIR', SETTINGS.DATA_DIR),
    logLevel: read('LOG_LEVEL', SETTINGS.LOG_LEVEL),
    cacheMaxAgeSeconds: read('CACHE_MAX_AGE_SECONDS', SETTINGS.CACHE_MAX_AGE_SECONDS),
    snapshotMemoryBytes: read('SNAPSHOT_MEMORY_MB', SETTINGS.SNAPSHOT_MEMORY_MB) * MEGABYTE,
  });
}

/** A container's limit where there is one. */
function usableBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}
