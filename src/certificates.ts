// Says what to do about a certificate that Node refuses, whichever service showed it.

/** What to do about a connection that failed for this reason; undefined when the reason is not a certificate. */
export const certificateRemedy = (reason: string): string | undefined =>
  REMEDIES.find(([pattern]) => pattern.test(reason))?.[1];

/**
 * The reason alone. From version 24 on, Node adds advice to it: `--use-system-ca`, which the programs do not take and
 * which would stand beside our remedy.
 */
export const withoutAdvice = (reason: string): string =>
  reason.replace(/; if the root CA is installed locally, .*--use-system-ca$/, '');

/** The words are those of OpenSSL and Node. */
const REMEDIES: readonly (readonly [RegExp, remedy: string])[] = [
  [
    /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/,
    'name the file with the certificate of the authority that signed it in NODE_EXTRA_CA_CERTS',
  ],
  [/certificate has expired/, 'renew its certificate'],
  [/certificate is not yet valid/, 'see whether the clocks of both machines are right'],
  [/does not match certificate's altnames/, 'write its host as its certificate names it'],
];
