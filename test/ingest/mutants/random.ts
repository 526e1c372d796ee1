// Draws values from a seed, so that a mutant can be made again from its number.

import { randomOf } from '../../../bench/seededRandom.ts';

export class Random {
  /** A number in [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    // Spreads consecutive seeds over all states.
    this.next = randomOf((Math.imul(seed, 0x9e3779b1) ^ 0x5bf03635) >>> 0);
  }

  /** A whole number from 0 to `end` - 1. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new RangeError('nothing to pick from');
    return values[this.below(values.length)] as T;
  }

  /** One of the values. On average, each is drawn in proportion to its weight. */
  weighted<T>(values: readonly (readonly [weight: number, value: T])[]): T {
    let at = this.next() * values.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of values) {
      at -= weight;
      if (at < 0) return value;
    }
    return this.pick(values)[1];
  }

  shuffled<T>(values: readonly T[]): T[] {
    const all = [...values];
    for (let i = all.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [all[i], all[j]] = [all[j] as T, all[i] as T];
    }
    return all;
  }
}
