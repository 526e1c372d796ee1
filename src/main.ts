// Starts the server with one process or several, starts their log and metrics, and prints the server's address.

import './process/threads.ts';
import cluster from 'node:cluster';
import { claimLink, INVITE_MS, invitesOf } from './access/invites/invites.ts';
import { type OpenRedis, openRedis } from './access/redis/connection.ts';
import { RedisMissing } from './access/redis/privateServer.ts';
import { type Config, ConfigError, listeningUrl, readConfig } from './config/config.ts';
import { serverAdvice, settingsAdvice } from './config/settingsAdvice.ts';
import { observeLibraries } from './log/libraryWarnings.ts';
import { logTo, openLog } from './log/log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createMetricsServer } from './metrics/metricsServer.ts';
import { answerPrimary, askWorkers, keepCountsOfEndedWorkers } from './metrics/workerMetrics.ts';
import type { Observe } from './observations.ts';
import { expectListenable, listen } from './process/listen.ts';
import { StartFailed, startProcesses } from './process/workerProcesses.ts';
import { serve } from './serve.ts';
import { printable } from './text/printable.ts';

async function main(): Promise<void> {
  // The server goes on when a reader of its output closes the pipe.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  expectKnownOptions();
  const config = readConfig(process.env);
  const log = logTo(openLog(config.logLevel), config);
  const metrics = config.metricsPort === null ? null : createMetrics();
  const observe: Observe =
    metrics === null
      ? log
      : (observation) => {
          log(observation);
          metrics.observe(observation);
        };
  observeLibraries(observe);
  if (cluster.isPrimary) {
    for (const advice of [...settingsAdvice(process.env), ...serverAdvice(config)])
      observe({ event: 'setting doubted', advice });
    await expectListenable(config);
  }
  if (config.processes === 1) {
    await serveMetrics(config, async () => (metrics === null ? [] : [await metrics.json()]));
    const redis = await serve(config, observe, metrics);
    await announce(config, redis, observe);
  } else if (cluster.isPrimary) {
    // The primary needs a Redis client to stop the private Redis at the end. Workers cannot, because none of them knows
    // whether it is the last. This client also reports what nobody else can: data that the private Redis lacked when this
    // client started it, and deleted files that this client had it write anew.
    const redis = openRedis({
      address: config.redis,
      dataDir: config.dataDir,
      observe: (observation) =>
        (observation.event === 'redis lost data' || observation.event === 'redis files gone') &&
        observe(observation),
    });
    keepCountsOfEndedWorkers();
    await serveMetrics(config, async () => [
      ...(metrics ? [await metrics.json()] : []),
      ...(await askWorkers()),
    ]);
    await startProcesses(config.processes, observe, () => redis.close());
    await announce(config, redis, observe);
  } else {
    if (metrics !== null) answerPrimary(metrics);
    await serve(config, observe, metrics);
  }
}

async function serveMetrics(
  { host, metricsPort }: Config,
  collect: Parameters<typeof createMetricsServer>[0],
): Promise<void> {
  if (metricsPort === null) return;
  const server = createMetricsServer(collect);
  await listen(server, { port: metricsPort, host }, 'METRICS_PORT');
}

/** Prints the server's address, and with `--invite` a claim link. */
async function announce(config: Config, redis: OpenRedis, observe: Observe): Promise<void> {
  const { host, port, publicUrl } = config;
  process.stdout.write(`Listening on ${listeningUrl(host, port)}\n`);
  if (config.linksLeadHereOnly) observe({ event: 'links lead here only', publicUrl, host });
  if (process.argv.includes(INVITE)) await printInvite(redis, publicUrl, observe);
}

const INVITE = '--invite';

/**
 * Refuses all options except `--invite`, because people may believe that an option changes a setting.
 *
 * @throws {ConfigError} for an unknown option.
 */
function expectKnownOptions(): void {
  const unknown = process.argv.slice(2).find((option) => option !== INVITE);
  if (unknown === undefined) return;
  throw new ConfigError(
    `${printable(unknown)} is not an option of the server; settings are environment variables, such as PORT=8080, and the README lists them; its only option is ${INVITE}, which prints a claim link`,
  );
}

/** Prints a claim link and the next step as soon as Redis answers. */
async function printInvite(redis: OpenRedis, publicUrl: string, observe: Observe): Promise<void> {
  try {
    await redis.untilAnswered(DAY_MS);
    const terms = { label: 'First user', claimableMs: INVITE_MS, by: 'make start' };
    const { token } = await invitesOf(redis.client).create(terms);
    process.stdout.write(`Claim a key:\n${claimLink(publicUrl, token)}\n`);
    process.stdout.write(`Then ask: curl -H "x-api-key: YOUR_KEY" ${publicUrl}/v1/catalog\n`);
  } catch (error) {
    observe({ event: 'no claim link', error });
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

const USAGE_EXIT_CODE = 2;

main().catch((error: unknown) => {
  if (error instanceof StartFailed) process.exit(error.exitCode);
  const isExpected = error instanceof ConfigError || error instanceof RedisMissing;
  process.stderr.write(`${isExpected ? error.message : (error as Error)?.stack}\n`);
  process.exit(isExpected ? USAGE_EXIT_CODE : 1);
});
