// The endpoints about the service itself, and the schemas of their answers.

import { z } from 'zod';
import { CONDITIONAL, jsonAnswer, type Operation } from './operation.ts';
import { count, dateTime, snapshotId } from './schemas.ts';

const usageAnswer = z
  .object({
    key: z.object({
      id: z.string(),
      label: z.string(),
      created_at: dateTime,
      expires_at: dateTime.nullable().meta({ description: '`null` for a key that does not expire.' }),
    }),
    limits: z.array(
      z.object({
        name: z.enum(['minute', 'day']),
        limit: count,
        used: count,
        remaining: count,
        window_seconds: count,
        resets_at: dateTime.meta({ description: 'When the next request of a full window is admitted.' }),
      }),
    ),
    days: z.array(
      z.object({
        date: z.string().meta({ format: 'date' }),
        requests: count.meta({ description: 'Requests that were admitted.' }),
        refused: count.meta({ description: 'Requests over a limit.' }),
      }),
    ),
  })
  .meta({ id: 'Usage' });

const healthAnswer = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

const readinessAnswer = z
  .object({
    status: z.enum(['ready', 'not ready']),
    snapshot: z
      .object({
        id: snapshotId,
        age_seconds: count.nullable().meta({ description: 'Since its publication.' }),
      })
      .nullable(),
    redis: z.enum(['up', 'down']),
    warm: z.boolean().meta({ description: 'Whether the warm-up is over.' }),
    store: z.enum(['up', 'down']).optional().meta({
      description: 'Whether the snapshot store answers; left out without one. A server is ready without it.',
    }),
  })
  .meta({ id: 'Readiness' });

export const SERVICE: readonly Operation[] = [
  {
    path: '/v1/usage',
    id: 'getUsage',
    tag: 'Service',
    summary: 'What the calling key has used',
    description:
      'The limits of the key and what is left of them, and its requests of the last 31 days, UTC, newest first. Days without requests are left out. Figures may lag a few seconds.',
    requestHeaders: CONDITIONAL,
    answers: jsonAnswer(usageAnswer),
    examples: [
      {
        summary: 'A key on its first day',
        request: '/v1/usage',
        changing: ['id', 'created_at', 'resets_at', 'limit', 'used', 'remaining', 'date', 'requests'],
      },
    ],
  },
  {
    path: '/openapi.json',
    id: 'getOpenApi',
    tag: 'Service',
    summary: 'This description as OpenAPI 3.1',
    description: 'Made from the validators when the server starts.',
    requestHeaders: CONDITIONAL,
    answers: jsonAnswer(z.record(z.string(), z.unknown())),
    isOpen: true,
    examples: [],
  },
  {
    path: '/healthz',
    id: 'getHealth',
    tag: 'Service',
    summary: 'Whether the process answers',
    description: 'For the operator: restart the process when it does not.',
    requestHeaders: [],
    answers: jsonAnswer(healthAnswer),
    isOpen: true,
    examples: [{ summary: 'A process that answers', request: '/healthz' }],
  },
  {
    path: '/readyz',
    id: 'getReadiness',
    tag: 'Service',
    summary: 'Whether the server should receive requests',
    description:
      '200 when a snapshot is served, Redis answers and the warm-up is over. The body says what is missing.',
    requestHeaders: [],
    answers: jsonAnswer(readinessAnswer),
    others: { 503: { description: 'Something is missing; the body says what.', schema: readinessAnswer } },
    isOpen: true,
    examples: [{ summary: 'A ready server', request: '/readyz', changing: ['age_seconds', 'warm'] }],
  },
];
