// The advice on the number of threads for files.

import { describe, expect, it } from '@jest/globals';
import { threadsAdvice } from '../../src/process/threads.ts';

describe('threadsAdvice', () => {
  it.each([
    ['20.20.2', undefined, 'only 4 threads'],
    ['20.20.2', '4', 'only 4 threads'],
    ['24.21.0', '8', 'only 8 threads'],
  ])('on node %s started with %s threads says what to do', (version, asked, advice) => {
    expect(threadsAdvice(version, asked)).toContain(advice);
    expect(threadsAdvice(version, asked)).toContain('UV_THREADPOOL_SIZE=16');
  });

  it.each([
    ['20.20.2', '16'],
    ['22.0.0', undefined],
    ['24.21.0', '64'],
  ])('on node %s started with %s threads says nothing', (version, asked) => {
    expect(threadsAdvice(version, asked)).toBeNull();
  });
});
