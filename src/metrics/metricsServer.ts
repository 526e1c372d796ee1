// Serves GET /metrics on a separate port, which is not meant for clients.

import http from 'node:http';
import { METRICS_TYPE, metricsText } from './metrics.ts';
import type { MetricJson } from './tallies.ts';

/**
 * How long a client may take to send a request, and how often Node looks for clients that take longer. With the defaults of
 * Node, a connection with half a request would stay open for 60 to 90 s.
 */
const REQUEST_MS = 5_000;
const CHECK_MS = 1_000;
/** How long a connection may be silent while an answer is sent. */
const SILENCE_MS = 30_000;

/**
 * Makes the server, which does not listen yet.
 *
 * @param collect gives the metrics of each process.
 */
export function createMetricsServer(collect: () => Promise<readonly (readonly MetricJson[])[]>): http.Server {
  const timeouts = {
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
  };
  const server = http.createServer(timeouts, async (request, response) => {
    const isMetrics = request.url?.split('?')[0] === '/metrics';
    if (!isMetrics || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Only GET /metrics is here.\n');
      return;
    }
    try {
      const text = await metricsText(await collect());
      response.writeHead(200, { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' }).end(text);
    } catch {
      // There is nothing to report: Prometheus records that the scrape failed.
      response.writeHead(500).end();
    }
  });
  server.setTimeout(SILENCE_MS);
  // When the process can open no more files, a connection cannot be accepted. Without a listener, that error would end
  // the process.
  server.on('error', () => {});
  return server;
}
