import { randomUUID } from 'node:crypto';
import { shellQuoted } from '../../cli/printable.ts';

export interface OwnEventOptions {
  readonly webhookUrl: string;
  readonly signatureHeader: string;
  /** Left out, the command reads `$PRIVATE_KEY`: a key that somebody brought along is never printed. */
  readonly privateKey?: string;
}

/**
 * A command for a POSIX shell that signs an event with openssl and sends it with curl: no code of ours is
 * in it.
 */
export function ownEventCommand({ webhookUrl, signatureHeader, privateKey }: OwnEventOptions): string {
  const event = {
    id: randomUUID(),
    event_name: 'transaction.paid',
    sandbox: false,
    payload: {
      transaction: { id: randomUUID(), amount: '12.50', currency: 'USD', order_id: 'my-order-1' },
    },
  };
  const key = privateKey === undefined ? '"$PRIVATE_KEY"' : shellQuoted(privateKey);
  const signature = `$(printf %s "$BODY" | openssl dgst -sha256 -hmac ${key} -r | cut -c1-64)`;
  return [
    `BODY=${shellQuoted(JSON.stringify(event))};`,
    `curl -s -H 'content-type: application/json' -H "${signatureHeader}: ${signature}"`,
    `--data-binary "$BODY" ${shellQuoted(webhookUrl)}`,
  ].join(' ');
}
