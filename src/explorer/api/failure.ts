// The reasons why a request of the API has no answer.

export type Failure =
  | {
      readonly kind: 'refused';
      readonly error: string;
      readonly fieldErrors: FieldErrors;
      /** The topic of the refusal's help link (docs/api.md, Errors), as far as the explorer uses it. */
      readonly topic: 'unknown-snapshot' | 'other';
    }
  | { readonly kind: 'unauthorised' }
  /**
   * `limited` means that the requests of the key are used up, `away` that the service or the network does not answer.
   */
  | { readonly kind: 'limited' | 'away'; readonly waitSeconds: number }
  | { readonly kind: 'cancelled' };

/** The problems of a refused request, by parameter. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** Whether a value is a failure. Other values have no `kind`, or a `kind` that no failure has. */
export const isFailure = <Value extends object>(value: Value | Failure): value is Failure =>
  'kind' in value && FAILURE_KINDS.has((value as Failure).kind);

const FAILURE_KINDS = new Set<string>([
  'refused',
  'unauthorised',
  'limited',
  'away',
  'cancelled',
] satisfies Failure['kind'][]);

/** Whether the API has refused a sum and names the dimensions for which a value must be chosen. */
export const isAmbiguousSum = (failure: Failure): failure is Extract<Failure, { kind: 'refused' }> =>
  failure.kind === 'refused' && Object.keys(failure.fieldErrors).length > 0;
