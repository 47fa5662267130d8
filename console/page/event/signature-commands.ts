import { shellQuoted } from '../../../cli/shell-quoted.ts';

export interface SignedDelivery {
  readonly webhookUrl: string;
  readonly signatureHeader: string;
  readonly signature: string;
  readonly bodyBase64: string;
}

/** A command that posts the same bytes with their signature. Base64 keeps the bytes exact in any shell. */
export const curlCommand = ({ webhookUrl, signatureHeader, signature, bodyBase64 }: SignedDelivery): string =>
  [
    `base64 --decode <<< ${shellQuoted(bodyBase64)} |`,
    `  curl --data-binary @- --header 'content-type: application/json' \\`,
    `    --header ${shellQuoted(`${signatureHeader}: ${signature}`)} ${shellQuoted(webhookUrl)}`,
  ].join('\n');

/**
 * Computes the signature of the bytes, and the id of the key, with OpenSSL. The key is typed, so that it is
 * in no history; the list of processes shows it for as long as OpenSSL runs.
 */
export const verifyCommand = (bodyBase64: string): string =>
  [
    `read -rs PRIVATE_KEY   # type the private key; it is not shown`,
    `base64 --decode <<< ${shellQuoted(bodyBase64)} |`,
    `  openssl dgst -sha256 -hmac "$PRIVATE_KEY"`,
    `printf 'payhooks key id:%s' "$PRIVATE_KEY" | sha256sum | cut -c 1-12`,
  ].join('\n');
