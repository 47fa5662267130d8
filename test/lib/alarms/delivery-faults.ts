import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { Deployment } from './deployment.ts';
import type { AlarmFault } from './fault.ts';

const payment = (): Uint8Array => bytesOf(paidEvent({ orderId: 'order-1' }));
const wellFormed = 'a'.repeat(64);

/** Several posts of the same minute. */
async function postTimes(
  count: number,
  deployment: Deployment,
  signed: Parameters<Deployment['post']>[1] = {},
) {
  for (let number = 0; number < count; number += 1) await deployment.post(payment(), signed);
}

/** Faults between the payment service and the queue. */
export const deliveryFaults: Readonly<Record<string, AlarmFault>> = {
  WebhooksThrottled: {
    what: 'more webhooks arrive at once than the API admits',
    cause: (deployment) => postTimes(30, deployment),
  },
  'WebhookServerErrors without keys': {
    what: 'the key secret is malformed',
    others: ['SecretReadFailed'],
    async cause({ faults, post }) {
      faults.keySecret = 'not a key';
      await post(payment());
    },
  },
  SecretReadFailed: {
    what: 'one webhook arrives while Secrets Manager is unavailable, after the last good read',
    async cause({ faults, post, pass }) {
      await post(payment());
      faults.keySecret = new Error('Secrets Manager is unavailable');
      await pass(6);
      await post(payment());
    },
  },
  'WebhookServerErrors without the queue': {
    what: 'SQS confirms no message',
    async cause({ faults, post }) {
      faults.queue = new Error('SQS is unavailable');
      await post(payment());
    },
  },
  BodiesTooLarge: {
    what: 'a body of more than 256 KiB has a signature in the right form',
    cause: ({ post }) => post(Buffer.alloc(256 * 1024 + 1, 'x'), { signature: wellFormed }),
  },
  'WebhookServerErrors after a crash': {
    what: 'the verifier crashes',
    cause: ({ postNothing }) => postNothing(),
  },
  'WebhookServerErrors without concurrency': {
    what: 'the concurrency of the account is used up',
    async cause({ throttled, post }) {
      throttled.add('Verifier');
      await post(payment());
    },
  },
  SignatureMismatches: {
    what: 'five webhooks are signed with another key',
    cause: (deployment) => postTimes(5, deployment, { key: 'pri_other' }),
  },
  SignatureKeysExpired: {
    what: 'a webhook is signed with a key that has expired',
    async cause({ faults, post }) {
      const expired = { key: 'pri_old', accepted_until: '2026-11-20T00:00:00Z' };
      faults.keySecret = JSON.stringify({ private_keys: [{ key: 'pri_live' }, expired] });
      await post(payment(), { key: 'pri_old' });
    },
  },
  SignaturesUnreadable: {
    what: 'twenty requests of an hour have no signature in the right form',
    async cause(deployment) {
      await postTimes(10, deployment, { signature: '' });
      await deployment.pass(30);
      await postTimes(10, deployment, { signature: 'A'.repeat(64) });
    },
  },
  WebhooksSilent: {
    what: 'no webhook is accepted for 30 hours',
    async cause({ state, post, pass, firing }) {
      state.assumesSchedules = true;
      await post(payment());
      await pass(29 * 60);
      if (firing().length > 0) throw new Error('The alarm is early.');
      await pass(2 * 60);
    },
  },
  WebhookCertificateExpiring: {
    what: 'the certificate of the domain expires in 29 days',
    async cause({ state, pass }) {
      state.certificateDays = 29;
      await pass(1);
    },
  },
};
