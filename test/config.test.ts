import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig, SETTINGS } from '../src/config.ts';

describe('readConfig', () => {
  it('has a default for everything', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: path.resolve('data'),
      logLevel: 'info',
      cacheMaxAgeSeconds: 3600,
    });
    expect(config.snapshotMemoryBytes).toBeGreaterThan(0);
    expect(config.snapshotMemoryBytes).toBeLessThanOrEqual(os.totalmem() / 2);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('takes what the environment says', () => {
    const environment = {
      PORT: '8080',
      HOST: '::1',
      DATA_DIR: '/var/data',
      LOG_LEVEL: 'silent',
      CACHE_MAX_AGE_SECONDS: '2592000',
      SNAPSHOT_MEMORY_MB: '512',
      OTHER: 'ignored',
    };
    expect(readConfig(environment)).toEqual({
      port: 8080,
      host: '::1',
      dataDir: '/var/data',
      logLevel: 'silent',
      cacheMaxAgeSeconds: 2_592_000,
      snapshotMemoryBytes: 512 * 2 ** 20,
    });
  });

  it.each([
    ['PORT', 'http', 'PORT: "http" is not a port; use a whole number from 1 to 65535'],
    ['PORT', '0', 'PORT: "0" is not a port; use a whole number from 1 to 65535'],
    ['PORT', '65536', 'PORT: "65536" is not a port; use a whole number from 1 to 65535'],
    ['PORT', '3e3', 'PORT: "3e3" is not a port; use a whole number from 1 to 65535'],
    ['PORT', ' 3000', 'PORT: " 3000" is not a port; use a whole number from 1 to 65535'],
    ['PORT', '', 'PORT: "" is not a port; use a whole number from 1 to 65535'],
    ['HOST', 'http://x', 'HOST: "http://x" is not a host; use an address or a name, such as 127.0.0.1'],
    ['DATA_DIR', '', 'DATA_DIR: "" is not a folder; use a path'],
    [
      'LOG_LEVEL',
      'loud\n',
      'LOG_LEVEL: "loud\\n" is not a level; use one of trace, debug, info, warn, error, fatal, silent',
    ],
    [
      'CACHE_MAX_AGE_SECONDS',
      '2592001',
      'CACHE_MAX_AGE_SECONDS: "2592001" is not a number of seconds; use a whole number from 0 to 2592000, which is 30 days',
    ],
    [
      'SNAPSHOT_MEMORY_MB',
      '0.5',
      'SNAPSHOT_MEMORY_MB: "0.5" is not a number of megabytes; use a whole number from 1 to 1048576',
    ],
  ])('refuses %s=%j with one line that says what is allowed', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(message));
    expect(message).not.toContain('\n');
  });

  it('describes every setting in one line', () => {
    for (const { description, fallback } of Object.values(SETTINGS)) {
      expect(`${description} ${fallback}`).toMatch(/^[A-Z][^\n]+$/);
    }
  });
});
