// Advice on settings that are probably a mistake.

import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/config/config.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { serverAdvice, settingsAdvice } from '../../src/config/settingsAdvice.ts';

const NAMES = Object.keys(SETTINGS);
const LONG_NAMES = NAMES.filter((name) => name.length > 4);

describe('a variable without effect', () => {
  it.each([
    ['REDIS_ULR', 'REDIS_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['REDISURL', 'REDIS_URL'],
    ['redis_url', 'REDIS_URL'],
    ['port', 'PORT'],
    ['METRIC_PORT', 'METRICS_PORT'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATA-DIR', 'DATA_DIR'],
    ['GUARD_TOTAL_WARN', 'GUARD_TOTALS_WARN'],
    ['SNAPSHOT_MEMORY', 'SNAPSHOT_MEMORY_MB'],
    ['RATE_LIMIT_PER_MIN', 'RATE_LIMIT_PER_MINUTE'],
  ])('%s is told of the setting %s', (name, meant) => {
    expect(settingsAdvice({ [name]: 'x' })).toEqual([
      `${name} is not a setting and has no effect; did you mean ${meant}?`,
    ]);
    // Then it is probably the variable of another program.
    expect(settingsAdvice({ [name]: 'x', [meant]: 'x' })).toEqual(
      expect.not.arrayContaining([expect.stringContaining(name)]),
    );
  });

  it('is found by any one letter that is left out of a long name, or exchanged with its neighbour', () => {
    for (const name of LONG_NAMES)
      for (let i = 0; i < name.length - 1; i++)
        for (const slip of [
          name.slice(0, i) + name.slice(i + 1),
          `${name.slice(0, i)}${name[i + 1]}${name[i]}${name.slice(i + 2)}`,
        ])
          if (!NAMES.includes(slip)) expect([slip, settingsAdvice({ [slip]: '' }).length]).toEqual([slip, 1]);
  });

  it('is no name with two slips, and no name that all objects of JavaScript have', () => {
    expect(settingsAdvice({ PORESSES: '4', toString: 'x', valueOf: '2' })).toEqual([]);
  });

  it('is nothing that systems, shells, npm, containers and clusters set', () => {
    const others = [
      ...['HOSTNAME', 'HOME', 'PATH', 'PWD', 'OLDPWD', 'SHLVL', 'TERM', 'LANG', 'USER', 'LOGNAME', 'TMPDIR'],
      ...[
        'SHELL',
        'MAIL',
        'EDITOR',
        'DISPLAY',
        'LISTEN_PID',
        'NOTIFY_SOCKET',
        'INVOCATION_ID',
        'STATE_DIRECTORY',
      ],
      ...[
        'NODE_ENV',
        'NODE_OPTIONS',
        'UV_THREADPOOL_SIZE',
        'NODE_EXTRA_CA_CERTS',
        'INIT_CWD',
        'npm_config_loglevel',
      ],
      ...[
        'REDIS_PORT',
        'REDIS_HOST',
        'REDIS_SERVICE_HOST',
        'REDIS_PASSWORD',
        'KUBERNETES_PORT',
        'POD_NAME',
        'SITE',
      ],
      ...['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_ENDPOINT_URL_S3', 'POSTS', 'PORTS', 'COST', 'CI', 'DATA'],
    ];
    expect(settingsAdvice(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('is a setting whose partner is not set', () => {
    const alone = { OIDC_ROLE_CLAIM: 'role', SNAPSHOT_POLL_SECONDS: '5', PUBLISH_WEBHOOK_SECRET: 'x' };
    expect(settingsAdvice(alone)).toEqual([
      'OIDC_ROLE_CLAIM has no effect, because OIDC_ISSUER is not set',
      'SNAPSHOT_POLL_SECONDS has no effect, because SNAPSHOT_STORE is not set',
      'PUBLISH_WEBHOOK_SECRET has no effect, because PUBLISH_WEBHOOK is not set',
    ]);
    const partners = { OIDC_ISSUER: 'x', SNAPSHOT_STORE: 'x', PUBLISH_WEBHOOK: 'x' };
    expect(settingsAdvice({ ...alone, ...partners })).toEqual([]);
  });
});

it('a share above 100 % is doubted, because people write percentages', () => {
  expect(settingsAdvice({ GUARD_ROWS_REFUSE: '20', GUARD_ROWS_WARN: '1' })).toEqual([
    'GUARD_ROWS_REFUSE is 20, which is 2000 %; write 0.05 for 5 %',
  ]);
  // A double is only near 1.15, and 100 times it is 114.99999999999999.
  expect(settingsAdvice({ GUARD_ROWS_REFUSE: '1.15' })).toEqual([
    'GUARD_ROWS_REFUSE is 1.15, which is 115 %; write 0.05 for 5 %',
  ]);
});

describe('a setting of the server', () => {
  const adviceOn = (environment: Record<string, string>, memoryMb = 4096) =>
    serverAdvice(readConfig({ SNAPSHOT_MEMORY_MB: '100', ...environment }), memoryMb * 2 ** 20).map(
      (advice) => advice.split(':')[0],
    );

  it('is doubted when it contradicts another one, or the machine', () => {
    expect(adviceOn({ PUBLIC_URL: 'https://data.example' })).toEqual([
      'TRUST_PROXY_HOPS is 0, but PUBLIC_URL begins with https',
    ]);
    expect(adviceOn({ RATE_LIMIT_PER_MINUTE: '101', RATE_LIMIT_PER_DAY: '100' })).toEqual([
      'RATE_LIMIT_PER_MINUTE is 101, which has no effect, because RATE_LIMIT_PER_DAY is 100',
    ]);
    expect(adviceOn({ SNAPSHOT_MEMORY_MB: '4097' })).toEqual([
      'SNAPSHOT_MEMORY_MB is 4097, but the server may use only 4096 MB',
    ]);
  });

  it('is not doubted otherwise', () => {
    expect(adviceOn({ SNAPSHOT_MEMORY_MB: '4096' })).toEqual([]);
    expect(adviceOn({ PUBLIC_URL: 'https://data.example', TRUST_PROXY_HOPS: '1' })).toEqual([]);
    expect(adviceOn({ PUBLIC_URL: 'http://data.example' })).toEqual([]);
  });
});
