// Passes on the problems of some countries, and drops all other problems.

import type { Diagnostic } from '../../messages/fault.ts';
import type { Place } from '../../messages/place.ts';
import { Problems, type Severity } from '../../messages/problems.ts';

/**
 * Passes on the problems whose country passes a test. The test receives null for a problem that is not about one country.
 */
export class ProblemsOfCountries extends Problems {
  readonly #all: Problems;
  readonly #isAbout: (country: string | null) => boolean;

  constructor(all: Problems, isAbout: (country: string | null) => boolean) {
    super();
    this.#all = all;
    this.#isAbout = isAbout;
  }

  override add(severity: Severity, place: Place, diagnostic: Diagnostic | string): void {
    const country = typeof diagnostic === 'string' ? null : diagnostic.country;
    if (this.#isAbout(country ?? null)) this.#all.add(severity, place, diagnostic);
  }
}
