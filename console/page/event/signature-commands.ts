import { shellQuoted } from '../../contract/texts.ts';

export interface SignedDelivery {
  readonly webhookUrl: string;
  readonly signatureHeader: string;
  readonly signature: string;
  readonly bodyBase64: string;
}

/**
 * `curl` posts the same bytes with their signature. `verify` computes the signature and the id of the key,
 * which is typed, so that it is in no history; the list of processes shows it for as long as OpenSSL runs.
 */
export function signatureCommands({ webhookUrl, signatureHeader, signature, bodyBase64 }: SignedDelivery) {
  // Base64 keeps the bytes exact in any shell.
  const bytes = `base64 --decode <<< ${shellQuoted(bodyBase64)} |`;
  return {
    curl: [
      bytes,
      `  curl --data-binary @- --header 'content-type: application/json' \\`,
      `    --header ${shellQuoted(`${signatureHeader}: ${signature}`)} ${shellQuoted(webhookUrl)}`,
    ].join('\n'),
    verify: [
      `read -rs PRIVATE_KEY   # type the private key; it is not shown`,
      bytes,
      `  openssl dgst -sha256 -hmac "$PRIVATE_KEY"`,
      `printf 'payhooks key id:%s' "$PRIVATE_KEY" | sha256sum | cut -c 1-12`,
    ].join('\n'),
  };
}
