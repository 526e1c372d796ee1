// Settings: defaults, allowed values, and the line about a wrong one.

import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { SETTINGS, type Setting } from '../../src/config/settings.ts';
import { orElse } from '../support/orElse.ts';

describe('readConfig', () => {
  it('has a default for everything', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: path.resolve('data'),
      processes: 1,
      logLevel: 'info',
      hasAccessLog: true,
      metricsPort: null,
      cacheMaxAgeSeconds: 3600,
      redis: null,
      publicUrl: 'http://127.0.0.1:3000',
      rateLimits: { perMinute: 100, perDay: 10_000 },
      trustProxyHops: 0,
      corsOrigins: null,
      oidc: null,
    });
    expect(config.snapshotMemoryBytes).toBeGreaterThan(0);
    expect(config.snapshotMemoryBytes).toBeLessThanOrEqual(os.totalmem() / 2);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('takes PROCESSES=auto as one process for each core', () => {
    const { processes } = readConfig({ PROCESSES: 'auto' });
    expect(processes).toBeGreaterThanOrEqual(1);
    expect(processes).toBeLessThanOrEqual(os.availableParallelism());
    expect(() => readConfig({ PROCESSES: 'all' })).toThrow(
      'PROCESSES: "all" is not a number of processes; use a whole number from 1 to 64, or auto: one for each core',
    );
  });

  it('takes an identity provider whole, or says what it lacks', () => {
    const provider = {
      OIDC_ISSUER: 'https://id.example.org',
      OIDC_CLIENT_ID: 'team',
      OIDC_CLIENT_SECRET: 'a secret',
      OIDC_ALLOW: 'Jane@example.org, example.com',
    };
    expect(readConfig(provider).oidc).toMatchObject({
      allow: ['jane@example.org', 'example.com'],
      roleClaim: 'roles',
    });
    for (const name of Object.keys(provider))
      expect(() => readConfig({ ...provider, [name]: undefined })).toThrow(`${name}: missing`);
    for (const [name, value] of [
      ['OIDC_ISSUER', 'http://id.example.org'],
      ['OIDC_ALLOW', 'everybody'],
    ] as const)
      expect(() => readConfig({ ...provider, [name]: value })).toThrow(`${name}: `);
  });

  it('takes every setting from the environment', () => {
    const environment = {
      PORT: '8080',
      HOST: '::1',
      DATA_DIR: '/var/data',
      PROCESSES: '4',
      LOG_LEVEL: 'silent',
      ACCESS_LOG: 'off',
      METRICS_PORT: '9100',
      CACHE_MAX_AGE_SECONDS: '2592000',
      SNAPSHOT_MEMORY_MB: '512',
      REDIS_URL: 'rediss://service:p%40ss@redis.example:6380/2',
      PUBLIC_URL: 'https://data.example/api/',
      RATE_LIMIT_PER_MINUTE: '5',
      RATE_LIMIT_PER_DAY: '7',
      TRUST_PROXY_HOPS: '1',
      CORS_ORIGINS: 'https://a.example,https://b.example',
      SNAPSHOT_STORE: 's3://bucket/team/',
      PUBLISH_WEBHOOK: 'https://hook.example/x',
      PUBLISH_WEBHOOK_SECRET: 'shared',
      GUARD_ROWS_WARN: '0',
      GUARD_TOTALS_REFUSE: '1.5',
      WARM_UP_SECONDS: '0',
      OTHER: 'ignored',
    };
    const expected = {
      oidc: null,
      port: 8080,
      warmUpSeconds: 0,
      host: '::1',
      dataDir: '/var/data',
      processes: 4,
      logLevel: 'silent',
      hasAccessLog: false,
      metricsPort: 9100,
      cacheMaxAgeSeconds: 2_592_000,
      snapshotMemoryBytes: 512 * 2 ** 20,
      redis: {
        nodes: [{ host: 'redis.example', port: 6380 }],
        cluster: false,
        tls: true,
        username: 'service',
        password: 'p@ss',
        db: 2,
      },
      publicUrl: 'https://data.example/api',
      publicUrlIsDefault: false,
      linksLeadHereOnly: false,
      rateLimits: { perMinute: 5, perDay: 7 },
      trustProxyHops: 1,
      corsOrigins: ['https://a.example', 'https://b.example'],
      snapshotPollMs: 10_000,
      snapshotStore: { bucket: 'bucket', prefix: 'team/' },
      publishWebhook: { url: 'https://hook.example/x', secret: 'shared' },
      guards: {
        rows: { warn: 0, refuse: 0.2 },
        totals: { warn: 0.01, refuse: 1.5 },
        closedYears: { warn: 0.005, refuse: 0.05 },
        country: { warn: 0.1, refuse: 0.25 },
        part: { warn: 0.25, refuse: 0.5 },
        material: { warn: 0.001, refuse: 0.01 },
      },
    };
    orElse('give the new setting a value in both objects of this test', () =>
      expect(readConfig(environment)).toEqual(expected),
    );
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:3000', true],
    ['0', 'http://127.0.0.1:3000', true],
    ['::', 'http://[::1]:3000', true],
    ['0:0:0:0:0:0:0:0', 'http://[::1]:3000', true],
    ['::ffff:0.0.0.0', 'http://[::1]:3000', true],
    ['::1', 'http://[::1]:3000', false],
    ['192.0.2.1', 'http://192.0.2.1:3000', false],
    ['data.example', 'http://data.example:3000', false],
    ['fe80::1%eth0', 'http://[fe80::1]:3000', false],
  ])('without PUBLIC_URL has links of HOST=%s begin with %s', (HOST, publicUrl, linksLeadHereOnly) => {
    expect(readConfig({ HOST })).toMatchObject({ publicUrl, linksLeadHereOnly });
    const named = readConfig({ HOST, PUBLIC_URL: 'http://0.0.0.0' });
    expect(named).toMatchObject({ publicUrl: 'http://0.0.0.0', linksLeadHereOnly: false });
  });

  it.each([
    ['redis://h', { nodes: [{ host: 'h', port: 6379 }] }],
    ['redis://[::1]:7000', { nodes: [{ host: '::1', port: 7000 }] }],
    ['redis://:secret@h', { nodes: [{ host: 'h', port: 6379 }], password: 'secret' }],
    ['unix:///run/redis.sock', { nodes: [{ path: '/run/redis.sock' }] }],
    ['redis+sentinel://h/main', { nodes: [{ host: 'h', port: 26_379 }], master: 'main' }],
    [
      'rediss+sentinel://u:p@a,b:7000/my-master.1',
      {
        nodes: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 7000 },
        ],
        master: 'my-master.1',
        tls: true,
        username: 'u',
        password: 'p',
      },
    ],
    ['redis+cluster://h:7000', { nodes: [{ host: 'h', port: 7000 }], cluster: true }],
    [
      'redis://a:7000,b:7001',
      {
        nodes: [
          { host: 'a', port: 7000 },
          { host: 'b', port: 7001 },
        ],
        cluster: true,
      },
    ],
    [
      'rediss://u:p@a,rediss://b:7001',
      {
        nodes: [
          { host: 'a', port: 6379 },
          { host: 'b', port: 7001 },
        ],
        cluster: true,
        tls: true,
        username: 'u',
        password: 'p',
      },
    ],
  ])('takes REDIS_URL=%s', (text, address) => {
    const plain = { cluster: false, tls: false, username: null, password: null, db: 0 };
    expect(readConfig({ REDIS_URL: text }).redis).toEqual({ ...plain, ...address });
  });

  it.each([
    ['', '""'],
    ['localhost:6379', '"localhost:6379"'],
    ['http://h:6379', '"http://h:6379"'],
    ['redis://', '"redis://"'],
    ['redis://h:port', '"redis://h:***"'],
    ['redis://h/name', '"redis://h/name"'],
    ['redis://:secret', '"redis://:***"'],
    ['http://u:sec@ret@h', '"http://***@h"'],
    ['u:secret@h', '"***@h"'],
    ['redis://h?password=secret', '"redis://h?***"'],
    ['redis://a:secret@h,b:sec%ret@i/1', '"redis://***@i/1"'],
    ['redis+sentinel://:secret@h', '"redis+sentinel://***@h"'],
    ['redis+sentinel://h/main/0', '"redis+sentinel://h/main/0"'],
    ['redis+cluster://:secret@h/1', '"redis+cluster://***@h/1"'],
  ])('refuses REDIS_URL=%j without showing a password', (text, shown) => {
    expect(() => readConfig({ REDIS_URL: text })).toThrow(
      `REDIS_URL: ${shown} is not an address of Redis; use redis://user`,
    );
  });

  it.each(['PUBLISH_WEBHOOK', 'PUBLIC_URL', 'OIDC_ISSUER'])(
    'refuses %s with a password, and does not show it',
    (name) => {
      const read = () =>
        readConfig({ PUBLISH_WEBHOOK_SECRET: 's', [name]: 'https://jane:sec@ret@host.example/x' });
      expect(read).toThrow(`${name}: "https://***@host.example/x" is not an`);
      expect(() => readConfig({ [name]: 'https://:secret@host.example' })).toThrow(`${name}: "https://***@`);
    },
  );

  it.each([
    ['OIDC_ISSUER', 'example.org'],
    ['OIDC_ISSUER', 'https://example.org/?tenant=1'],
    ['OIDC_ISSUER', 'https://example.org/#tenant'],
    ['OIDC_ISSUER', 'http://example.org'],
    ['PUBLISH_WEBHOOK_SECRET', ''],
    ['CORS_ORIGINS', 'https://a.example,b.example'],
    ['CORS_ORIGINS', 'https://a.example,https://b.example/'],
    ['CORS_ORIGINS', 'https://a.example:443'],
  ])('refuses %s=%j', (name, text) => {
    expect(() => readConfig({ [name]: text })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: text })).toThrow(`${name}: `);
  });

  it.each(Object.keys(SETTINGS))('refuses %s when it is set and empty, and names it', (name) => {
    for (const blank of ['', ' ', '\t'])
      expect(() => readConfig({ [name]: blank })).toThrow(new RegExp(`^${name}: ".*" is not an? `));
  });

  /** A right value of each setting whose default is not the text of one. */
  const RIGHT: Readonly<Record<string, string>> = {
    METRICS_PORT: '9100',
    SNAPSHOT_MEMORY_MB: '512',
    REDIS_URL: 'redis://h',
    PUBLIC_URL: 'https://a.example',
    OIDC_ISSUER: 'https://id.example',
    SNAPSHOT_STORE: 's3://bucket',
    PUBLISH_WEBHOOK: 'https://hook.example/x',
  };
  // Lists take line ends between their entries, so they take them at the end, too.
  const LISTS = ['CORS_ORIGINS', 'OIDC_ALLOW'];

  it.each(Object.entries<Setting>(SETTINGS).filter(([name]) => !LISTS.includes(name)))(
    'refuses a line end after %s, which files of variables may leave',
    (name, { parse, fallback }) => {
      const text = RIGHT[name] ?? fallback;
      expect(parse(text)).toBeDefined();
      for (const end of ['\r', '\n', '\r\n'])
        expect(() => readConfig({ [name]: text + end })).toThrow(new RegExp(`^${name}: `));
    },
  );

  it.each(['"/data"', "'/data'", ' /data', '/data ', '~/data', '$HOME/data', 'file:///data', '/da\0ta'])(
    'refuses DATA_DIR=%s, and takes it without them',
    (text) => {
      expect(() => readConfig({ DATA_DIR: text })).toThrow('DATA_DIR: ');
      expect(readConfig({ DATA_DIR: '/o\'hara/my data "x' }).dataDir).toBe('/o\'hara/my data "x');
    },
  );

  it('refuses a METRICS_PORT that is that of PORT', () => {
    expect(() => readConfig({ PORT: '3999', METRICS_PORT: '3999' })).toThrow(
      new ConfigError(
        'METRICS_PORT: "3999" is that of PORT; use a whole number from 1 to 65535, not that of PORT',
      ),
    );
  });

  it.each([
    ['PORT', 'http', 'PORT: "http" is not a port; use a whole number from 1 to 65535'],
    ['PORT', '0', 'PORT: "0" is not a port; use a whole number from 1 to 65535'],
    ['PORT', '65536', 'PORT: "65536" is not a port; use a whole number from 1 to 65535'],
    ['PORT', '3e3', 'PORT: "3e3" is not a port; use a whole number from 1 to 65535'],
    ['PORT', ' 3000', 'PORT: " 3000" is not a port; use a whole number from 1 to 65535'],
    ['PORT', '', 'PORT: "" is not a port; use a whole number from 1 to 65535'],
    ['HOST', 'http://x', 'HOST: "http://x" is not a host; use an address or a name, such as 127.0.0.1'],
    ['HOST', 'x:3000', 'HOST: "x:3000" is not a host; use an address or a name, such as 127.0.0.1'],
    ['HOST', '300.1.1.1', 'HOST: "300.1.1.1" is not a host; use an address or a name, such as 127.0.0.1'],
    [
      'DATA_DIR',
      '',
      'DATA_DIR: "" is not a folder; use a path, without spaces or quotes around it; ~ and $HOME are not expanded',
    ],
    [
      'PUBLIC_URL',
      'https://a.example,https://b.example',
      'PUBLIC_URL: "https://a.example,https://b.example" is not an address for links; use http:// or https:// with a host, and no query',
    ],
    [
      'OIDC_CLIENT_SECRET',
      'abc\n',
      'OIDC_CLIENT_SECRET: "…" is not a secret; use a text in one line, without spaces around it',
    ],
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
    [
      'PUBLIC_URL',
      'data.example',
      'PUBLIC_URL: "data.example" is not an address for links; use http:// or https:// with a host, and no query',
    ],
    [
      'PUBLIC_URL',
      'https://data.example/?a=1',
      'PUBLIC_URL: "https://data.example/?a=1" is not an address for links; use http:// or https:// with a host, and no query',
    ],
    [
      'RATE_LIMIT_PER_MINUTE',
      '0',
      'RATE_LIMIT_PER_MINUTE: "0" is not a number of requests; use a whole number from 1 to 9007199254740991',
    ],
    [
      'RATE_LIMIT_PER_DAY',
      '1e4',
      'RATE_LIMIT_PER_DAY: "1e4" is not a number of requests; use a whole number from 1 to 9007199254740991',
    ],
    [
      'TRUST_PROXY_HOPS',
      'true',
      'TRUST_PROXY_HOPS: "true" is not a number of proxies; use a whole number from 0 to 100',
    ],
    [
      'SNAPSHOT_STORE',
      's3://bucket/../other',
      'SNAPSHOT_STORE: "s3://bucket/../other" is not a store; use s3://bucket or s3://bucket/prefix',
    ],
    ['GUARD_ROWS_WARN', '5%', 'GUARD_ROWS_WARN: "5%" is not a share; use a number from 0; 0.05 is 5 %'],
  ])('refuses %s=%j with one line that says what is allowed', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(message));
    expect(message).not.toContain('\n');
  });

  it.each([
    [
      { GUARD_TOTALS_WARN: '0.2' },
      'GUARD_TOTALS_WARN: 0.2 is above GUARD_TOTALS_REFUSE, which is 0.15; use at most 0.15, or set GUARD_TOTALS_REFUSE to at least 0.2',
    ],
    [
      { GUARD_MATERIAL_REFUSE: '0' },
      'GUARD_MATERIAL_WARN: 0.001 is above GUARD_MATERIAL_REFUSE, which is 0; use at most 0, or set GUARD_MATERIAL_REFUSE to at least 0.001',
    ],
  ])('refuses a guard that would warn only above its refusal: %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(new ConfigError(message));
  });

  it('lets a guard refuse from where it would begin to warn', () => {
    const { guards } = readConfig({ GUARD_PART_WARN: '0.5', GUARD_PART_REFUSE: '0.5' });
    expect(guards.part).toEqual({ warn: 0.5, refuse: 0.5 });
  });

  it('describes every setting in one line', () => {
    for (const { description, fallback } of Object.values(SETTINGS)) {
      expect(`${description} ${fallback}`).toMatch(/^[A-Z][^\n]+$/);
    }
  });
});
