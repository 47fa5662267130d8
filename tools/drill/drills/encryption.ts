import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paidEvent } from '@payhooks/payment-service/simulator';
import type { Drill } from '../drill.ts';
import { check } from '../expectation.ts';

const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'encryption.md');

/** The command of the page that enables the key; local mode has no KMS, so it is only shown. */
function enableCommand(): string {
  const [command] = /^aws kms enable-key .*$/m.exec(readFileSync(page, 'utf8')) ?? [];
  check(command !== undefined, 'docs/encryption.md has the command that enables the key');
  return command;
}

const reading = ['GetItem', 'BatchGetItem', 'Query', 'GetRecords'];
const refused = { status: 400 } as const;

export const revokedKey: Drill = {
  name: 'revoked-key',
  fault: 'The KMS key of tables, queue and secrets was disabled.',
  alarm: 'WebhookServerErrors',
  async begin({ deliver, privateKey, fail }) {
    // The services forget the key one after the other, within five minutes.
    fail('dynamodb', {
      ...refused,
      code: 'AccessDeniedException',
      operations: ['PutItem', 'UpdateItem', ...reading],
    });
    const accepted = await deliver(paidEvent({ orderId: 'drill-before-revoked' }), privateKey);
    check(accepted === 202, 'a webhook is accepted while the queue still has a data key');
    fail('secretsManager', { ...refused, code: 'DecryptionFailure', operations: ['GetSecretValue'] });
    fail('sqs', { ...refused, code: 'KmsDisabled', operations: ['SendMessage', 'ReceiveMessage'] });
    const status = await deliver(paidEvent({ orderId: 'drill-while-revoked' }), privateKey);
    check(status === 503, 'a webhook gets 503, never 403');
  },
  async repair({ endFaults, say, until, get }) {
    say(`$ ${enableCommand()}`);
    endFaults();
    await until(
      () => get('/orders/drill-before-revoked'),
      ({ ok }) => ok,
      'the event that was acknowledged before is in its order',
    );
  },
};
