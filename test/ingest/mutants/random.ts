// Draws from a seed, so that every mutant can be made again from its number.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bf03635) >>> 0;
  }

  /** From [0, 1): mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(of: readonly T[]): T {
    if (of.length === 0) throw new RangeError('nothing to pick from');
    return of[this.below(of.length)] as T;
  }

  /** As many of each as its number says, on average. */
  weighted<T>(of: readonly (readonly [weight: number, value: T])[]): T {
    let at = this.next() * of.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of of) {
      at -= weight;
      if (at < 0) return value;
    }
    return this.pick(of)[1];
  }

  shuffled<T>(of: readonly T[]): T[] {
    const all = [...of];
    for (let i = all.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [all[i], all[j]] = [all[j] as T, all[i] as T];
    }
    return all;
  }
}
