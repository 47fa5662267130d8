import { randomUUID } from 'node:crypto';
import { shellQuoted } from '../../operator/shell-quoted.ts';

export interface CurlExample {
  readonly webhookUrl: string;
  readonly signatureHeader: string;
  /** Without it the command reads `$PRIVATE_KEY`: a key that the user gave is never printed. */
  readonly privateKey?: string;
}

/** A command for a POSIX shell that signs an event with openssl and sends it with curl. */
export function curlExample({ webhookUrl, signatureHeader, privateKey }: CurlExample): string {
  const transaction = { id: randomUUID(), amount: '12.50', currency: 'USD', order_id: 'my-order-1' };
  const event = {
    id: randomUUID(),
    event_name: 'transaction.paid',
    sandbox: false,
    payload: { transaction },
  };
  const key = privateKey === undefined ? '"$PRIVATE_KEY"' : shellQuoted(privateKey);
  const signature = `$(printf %s "$BODY" | openssl dgst -sha256 -hmac ${key} -r | cut -c1-64)`;
  return [
    `BODY=${shellQuoted(JSON.stringify(event))};`,
    `curl -s -H 'content-type: application/json' -H "${signatureHeader}: ${signature}"`,
    `--data-binary "$BODY" ${shellQuoted(webhookUrl)}`,
  ].join(' ');
}
