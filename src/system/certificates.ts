// Gives a remedy when Node refuses the TLS certificate of Redis, the store, the identity provider or the webhook.

/** The remedy for a connection that failed for this reason; undefined when the reason is not a certificate. */
export const certificateRemedy = (reason: string): string | undefined =>
  REMEDIES.find(([pattern]) => pattern.test(reason))?.[1];

/**
 * The reason without Node's advice. From version 24 on, Node appends advice to use `--use-system-ca`. Our programs do not
 * have this option, and their messages end with a remedy of their own.
 */
export const withoutAdvice = (reason: string): string =>
  reason.replace(/; if the root CA is installed locally, .*--use-system-ca$/, '');

/** Pattern → remedy. The patterns match the messages of OpenSSL and Node. */
const REMEDIES: readonly (readonly [RegExp, remedy: string])[] = [
  [
    /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/,
    'name the file with the certificate of the authority that signed it in NODE_EXTRA_CA_CERTS',
  ],
  [/certificate has expired/, 'renew its certificate'],
  [/certificate is not yet valid/, 'see whether the clocks of both machines are right'],
  [/does not match certificate's altnames/, 'write its host as its certificate names it'],
];
