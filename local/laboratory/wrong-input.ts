import { createHash, randomUUID } from 'node:crypto';
import { paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { describeResponse } from '../webhooks/description.ts';
import { both, type Experiment } from './experiment.ts';
import { seeNoOrder, seeOrder, seeWaiting } from './sights.ts';

const wrongInput = { group: 'wrong input', disturbs: false, alarm: null } as const;

/** What no payment service should send, and what a stranger sends. */
export const wrongInputExperiments: readonly Experiment[] = [
  {
    ...wrongInput,
    name: 'conflict',
    title: 'Conflict',
    does: 'Sends two payments under one event id: 75.00 USD, then 57.00 USD.',
    expected: 'One body counts, the other waits for a person, and the order is marked.',
    guarantee: 'Both bodies are kept; which one counts does not depend on which came first.',
    alarm: 'EventConflicts',
    async run(bench) {
      const event = paidEvent({ orderId: bench.orderId, amount: '75.00' });
      const transactionId = event.payload.transaction.id;
      await bench.send(event);
      const ids = { orderId: bench.orderId, eventId: event.id, transactionId };
      await bench.send(paidEvent({ ...ids, amount: '57.00' }));
      return both(
        await seeOrder(bench, { status: 'paid', attention: ['conflicting_event'], events: 1 }),
        await seeWaiting(bench, { kind: 'conflict', eventId: event.id }),
      );
    },
  },
  {
    ...wrongInput,
    name: 'refund-without-order',
    title: 'Refund without an order',
    does: 'Sends a refund that names no order, of a transaction that no payment named.',
    expected: 'The refund waits for a person as unassigned.',
    guarantee: 'Nothing that was accepted is dropped: what has no order waits, with an alarm.',
    alarm: 'EventsUnassigned',
    async run(bench) {
      const refund = refundedEvent({ orderId: '', amount: '20.00' });
      await bench.send(refund);
      return seeWaiting(bench, { kind: 'unassigned', eventId: refund.id });
    },
  },
  {
    ...wrongInput,
    name: 'forged',
    title: 'Forged',
    does: 'Sends a payment that is signed with a key that the stack does not know.',
    expected: 'It gets 403, and there is no order.',
    guarantee: 'Without the private key, no event changes an order.',
    async run(bench) {
      const delivery = await bench.send(paidEvent({ orderId: bench.orderId }), { signer: 'forger' });
      const response = describeResponse(delivery);
      const refused = { asExpected: response === '403', seen: `The response was ${response}.` };
      return both(refused, await seeNoOrder(bench));
    },
  },
  {
    ...wrongInput,
    name: 'mislabelled',
    title: 'Mislabelled',
    does: 'Sends a payment that claims to be live, signed with the sandbox key.',
    expected: 'It is quarantined in the sandbox, and there is no live order.',
    guarantee: 'A test key can never pay a live order.',
    alarm: 'EventsQuarantined',
    async run(bench) {
      const event = paidEvent({ orderId: bench.orderId });
      await bench.send(event, { signer: 'sandbox' });
      return both(
        await seeWaiting(bench, { kind: 'quarantined', eventId: event.id, mode: 'sandbox' }),
        await seeNoOrder(bench),
      );
    },
  },
  {
    ...wrongInput,
    name: 'malformed',
    title: 'Malformed',
    does: 'Sends a body that is signed with the right key and is not JSON.',
    expected: 'It gets 2xx, its bytes are stored, and it waits for a person as unrecognised.',
    guarantee: 'The bytes are stored as they came, even when nobody can read them.',
    alarm: 'EventsUnrecognised',
    async run(bench) {
      const body = Buffer.from(`${randomUUID()}: not JSON at all`, 'utf8');
      await bench.sendBody(body, `${body.length} bytes that are not JSON`);
      const bodySha256 = createHash('sha256').update(body).digest('hex');
      return seeWaiting(bench, { kind: 'unrecognised', bodySha256 });
    },
  },
];
