// Cached bodies: compression, prefetched drafts, concurrent callers, failures and eviction.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type BufferLease, createBufferPool, unpooledLease } from '../../src/cache/bufferPool.ts';
import type { ContentEncoding } from '../../src/cache/compression.ts';
import { type Draft, finishedDraft } from '../../src/cache/rendering.ts';
import { createResponseCache, noResponseCache, type ResponseCache } from '../../src/cache/responseCache.ts';

const CAPACITY_BYTES = 2 ** 20;
const TEXT = 'x'.repeat(5000);

/** Renders a body through a cache, and counts how often the rendering began. */
function rendering(draft: () => Draft = () => finishedDraft(unpooledLease(Buffer.from(TEXT)))) {
  const counts = { rendered: 0, begun: 0 };
  const render = async () => {
    counts.rendered += 1;
    return {
      startDraft() {
        counts.begun += 1;
        return draft();
      },
      nextCursor: null,
    };
  };
  return { counts, render };
}

/** The body that a reader of the cache gets. */
async function textOf(
  cache: ResponseCache,
  encoding: ContentEncoding,
  render: Parameters<ResponseCache['getOrRender']>[2],
): Promise<string> {
  const body = await cache.getOrRender('key', encoding, render);
  const text = (body.encoding === 'gzip' ? gunzipSync(body.bytes) : body.bytes).toString();
  body.release();
  return text;
}

/** A body in a pooled buffer, which is overwritten when it is released. */
function aPooledBody(text: string): BufferLease {
  const bytes = Buffer.from(text);
  const release = () => void bytes.fill('?');
  const detach = () => {
    const copy = Buffer.from(bytes);
    release();
    return copy;
  };
  return { bytes, isPooled: true, release, detach };
}

/** A draft that is complete after `steps` steps. Using it after that is an error. */
const inSteps = (steps: number) => () => {
  let written = 0;
  let isFinished = false;
  return {
    bufferBytes: TEXT.length,
    writeSome() {
      if (isFinished) throw new Error('written after its end');
      return ++written >= steps;
    },
    finish() {
      if (isFinished) throw new Error('finished twice');
      isFinished = true;
      return unpooledLease(Buffer.from(TEXT));
    },
  };
};

describe('a cached body', () => {
  it.each(['identity', 'gzip'] as const)('is rendered once, sent as %s', async (encoding) => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering();
    for (let i = 0; i < 3; i++) expect(await textOf(cache, encoding, render)).toBe(TEXT);
    expect(counts).toEqual({ rendered: 1, begun: 1 });
  });

  it.each(['identity', 'gzip'] as const)(
    'counts hits and misses, a failure as a miss, sent as %s',
    async (encoding) => {
      const cache = createResponseCache(CAPACITY_BYTES);
      const { render } = rendering();
      await expect(textOf(cache, encoding, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
      expect([cache.hits, cache.misses]).toEqual([0, 1]);
      for (let i = 0; i < 3; i++) await textOf(cache, encoding, render);
      expect([cache.hits, cache.misses]).toEqual([2, 2]);
      await cache.prefetch('other', encoding, render);
      await cache.getOrRender('other', encoding, render);
      expect([cache.hits, cache.misses]).toEqual([3, 2]);
    },
  );

  it('is not compressed when that gains nothing', async () => {
    const small = () => finishedDraft(unpooledLease(Buffer.from('small')));
    for (const cache of [createResponseCache(CAPACITY_BYTES), noResponseCache()]) {
      for (let i = 0; i < 2; i++) {
        const { encoding, bytes } = await cache.getOrRender('key', 'gzip', rendering(small).render);
        expect([encoding, bytes.toString()]).toEqual(['identity', 'small']);
      }
    }
  });

  it('names the probable next request at every request', async () => {
    for (const cache of [createResponseCache(CAPACITY_BYTES), noResponseCache()]) {
      for (const encoding of ['identity', 'gzip', 'identity', 'gzip'] as const) {
        const startDraft = () => finishedDraft(unpooledLease(Buffer.from(TEXT)));
        const body = await cache.getOrRender('key', encoding, async () => ({
          startDraft,
          nextCursor: 'next',
        }));
        expect(body.nextCursor).toBe('next');
      }
    }
  });

  it('in a pooled buffer is copied at the second request, not before', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering(() => finishedDraft(aPooledBody(TEXT)));
    for (const begun of [1, 2, 2, 2]) {
      expect(await textOf(cache, 'identity', render)).toBe(TEXT);
      expect(counts.begun).toBe(begun);
    }
  });

  it('that was compressed from a pooled buffer stays as it was', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering(() => finishedDraft(aPooledBody(TEXT)));
    for (let i = 0; i < 3; i++) expect(await textOf(cache, 'gzip', render)).toBe(TEXT);
    expect(counts.begun).toBe(1);
    expect(await textOf(cache, 'identity', render)).toBe(TEXT);
  });

  it('is evicted when the capacity is reached', async () => {
    const cache = createResponseCache(20_000);
    const { counts, render } = rendering();
    for (let i = 0; i < 10; i++) await cache.getOrRender(`key ${i}`, 'identity', render);
    await cache.getOrRender('key 9', 'identity', render);
    expect(counts.begun).toBe(10);
    await cache.getOrRender('key 0', 'identity', render);
    expect(counts.begun).toBe(11);
  });
});

describe('a body of simultaneous requests', () => {
  const callers = Array.from({ length: 40 });

  it.each([
    ['in memory of its own', () => unpooledLease(Buffer.from(TEXT))],
    ['in a pooled buffer', () => aPooledBody(TEXT)],
  ])('is written once %s', async (_, body) => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering(() => finishedDraft(body()));
    const slow = () => sleep(20).then(render);
    const texts = await Promise.all(callers.map((_, i) => textOf(cache, i % 2 ? 'gzip' : 'identity', slow)));
    expect(new Set(texts)).toEqual(new Set([TEXT]));
    expect(counts.begun).toBe(1);
  });

  it('is written once when a prefetch of it ends among them', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering(() => finishedDraft(aPooledBody(TEXT)));
    let answer = () => {};
    const slow = () => new Promise<void>((resolve) => (answer = resolve)).then(render);
    const texts = Promise.all([textOf(cache, 'identity', render), textOf(cache, 'identity', slow)]);
    await cache.prefetch('key', 'identity', render);
    answer();
    expect(await texts).toEqual([TEXT, TEXT]);
    expect(counts.begun).toBe(1);
  });

  it('is compressed once, also for a caller whose rendering ends after the compression', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { render } = rendering();
    let answer = () => {};
    const slow = () => new Promise<void>((resolve) => (answer = resolve)).then(render);
    const last = cache.getOrRender('key', 'gzip', slow);
    const first = await cache.getOrRender('key', 'gzip', render);
    answer();
    expect((await last).bytes).toBe(first.bytes);
  });

  it('is plain for a client that takes no compressed one, also while it is compressed for another', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { render } = rendering();
    const compressed = cache.getOrRender('key', 'gzip', render);
    for (let turn = 0; turn < 5; turn++) {
      expect((await cache.getOrRender('key', 'identity', render)).encoding).toBe('identity');
    }
    expect((await compressed).encoding).toBe('gzip');
  });

  it('is compressed for a client that asks for it after one that did not', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering();
    const encodings: string[] = [];
    for (const encoding of ['identity', 'identity', 'gzip', 'gzip', 'identity'] as const) {
      const body = await cache.getOrRender('key', encoding, render);
      encodings.push(body.encoding);
      body.release();
    }
    expect(encodings).toEqual(['identity', 'identity', 'gzip', 'gzip', 'identity']);
    const before = counts.begun;
    for (const encoding of ['gzip', 'identity'] as const) await cache.prefetch('key', encoding, render);
    expect(counts.begun).toBe(before);
  });

  it('is rendered again when the first attempt failed', async () => {
    for (const cache of [createResponseCache(CAPACITY_BYTES), noResponseCache()]) {
      const failing = async () => {
        throw new Error('busy');
      };
      await expect(cache.getOrRender('key', 'gzip', failing)).rejects.toThrow('busy');
      expect(await textOf(cache, 'gzip', rendering().render)).toBe(TEXT);
    }
  });
});

describe('a prefetched body', () => {
  it.each(['gzip', 'identity'] as const)(
    'has the cursor and the metadata of its rendering (%s)',
    async (encoding) => {
      const facts = { nextCursor: 'next', metaHeader: '{"notes":["a note"]}' };
      const cache = createResponseCache(CAPACITY_BYTES);
      const { render } = rendering();
      await cache.prefetch('key', encoding, async () => ({ ...(await render()), ...facts }));
      for (const asked of ['gzip', 'identity'] as const) {
        const body = await cache.getOrRender('key', asked, render);
        expect(body).toMatchObject({ encoding: asked, ...facts });
        body.release();
      }
    },
  );

  it.each([
    ['in one step', 1, 0],
    ['in a hundred steps', 100, 0],
    ['and is complete before it is asked for', 100, 300],
    ['and would never be complete by itself', Number.POSITIVE_INFINITY, 20],
  ])('is written once, %s', async (_, steps, turns) => {
    for (const encoding of ['gzip', 'identity'] as const) {
      const cache = createResponseCache(CAPACITY_BYTES);
      const { counts, render } = rendering(inSteps(steps));
      const prefetched = Promise.all([
        cache.prefetch('key', encoding, render),
        cache.prefetch('key', 'identity', render),
      ]);
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      const wanted = [encoding, 'identity', 'gzip'] as const;
      const texts = await Promise.all(wanted.map((one) => textOf(cache, one, render)));
      await prefetched;
      expect([texts.every((text) => text === TEXT), counts.begun]).toEqual([true, 1]);
    }
  });

  it('in a pooled buffer is sent from there', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering(() => finishedDraft(aPooledBody(TEXT)));
    await cache.prefetch('key', 'identity', render);
    await cache.prefetch('key', 'identity', render);
    expect(await textOf(cache, 'identity', render)).toBe(TEXT);
    expect(counts.begun).toBe(1);
  });

  it('is compressed before its request arrives', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering(() => finishedDraft(aPooledBody(TEXT)));
    await cache.prefetch('key', 'gzip', render);
    await cache.prefetch('key', 'gzip', render);
    expect(await textOf(cache, 'gzip', render)).toBe(TEXT);
    expect(counts).toEqual({ rendered: 1, begun: 1 });
  });

  it('is compressed ahead where only its plain form is cached', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    const { counts, render } = rendering();
    expect(await textOf(cache, 'identity', render)).toBe(TEXT);
    const plainBytes = cache.bytes;
    await cache.prefetch('key', 'gzip', render);
    const bytes = cache.bytes;
    expect(bytes).toBeGreaterThan(plainBytes);
    expect(await textOf(cache, 'gzip', render)).toBe(TEXT);
    expect([cache.bytes, counts.begun]).toEqual([bytes, 1]);
  });

  it('counts with the whole buffer that it waits in when it is large, with its own bytes when it is small', async () => {
    for (const [length, least, most] of [
      [2 ** 16, 2 ** 18, 2 ** 18 + 2000],
      [100, 100, 2000],
    ] as const) {
      const cache = createResponseCache(CAPACITY_BYTES);
      const pool = createBufferPool();
      const { render } = rendering(() => finishedDraft(pool.lease(pool.acquire().fill('x'), length)));
      await cache.prefetch('key', 'identity', render);
      expect(cache.bytes).toBeGreaterThanOrEqual(least);
      expect(cache.bytes).toBeLessThan(most);
      expect(await textOf(cache, 'identity', render)).toBe('x'.repeat(length));
      expect([cache.bytes < 2000, pool.idleBytes]).toEqual([true, 2 ** 18]);
    }
  });

  it('that failed half-way is rendered from its beginning at its request', async () => {
    const cache = createResponseCache(CAPACITY_BYTES);
    let drafts = 0;
    const { render } = rendering(() => {
      let text = drafts++ === 0 ? 'half a row' : '';
      return {
        bufferBytes: 0,
        writeSome() {
          if (text !== '') throw new Error('no memory left');
          return true;
        },
        finish() {
          text += 'found';
          return unpooledLease(Buffer.from(text));
        },
      };
    });
    await expect(cache.prefetch('key', 'identity', render)).rejects.toThrow('no memory left');
    expect(await textOf(cache, 'identity', render)).toBe('found');
    expect(drafts).toBe(2);
  });
});
