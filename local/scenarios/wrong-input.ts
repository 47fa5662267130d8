import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { refusalSumSeconds } from '../../lambdas/contract/limits.ts';
import type { Scenario } from './scenario.ts';
import { seeNoOrder, seeOrder, seeWaiting } from './sights.ts';

const forged: Scenario = {
  name: 'forged',
  title: 'A forged event is refused',
  // One does not fire the alarm: strangers try.
  alarm: null,
  page: {
    group: 'wrong input',
    does: 'Sends a payment that is signed with a key that the stack does not know.',
    expected: 'It gets 403, and there is no order.',
    guarantee: 'Without the private key, no event changes an order.',
  },
  async begin(stage) {
    await stage.post(paidEvent({ orderId: stage.orderId, amount: '0.01' }), refused);
    await seeNoOrder(stage);
    return {};
  },
};

const refused = { signer: 'forger', expected: '403' } as const;

const forgedFlood: Scenario = {
  name: 'forged-flood',
  title: 'A stranger without the private key posts a hundred forged payments',
  alarm: 'WebhooksRefused',
  async begin(stage) {
    for (let count = 1; count <= 100; count += 1)
      await stage.post(paidEvent({ orderId: stage.orderId }), refused);
    // Of a flood the verifier counts a sum, with the next request a second later.
    await pause(refusalSumSeconds * 1_000);
    // A signed webhook is accepted meanwhile.
    await stage.post(paidEvent({ orderId: `${stage.orderId}-signed` }));
    await seeNoOrder(stage);
    return {
      async repair({ follow, say }) {
        await follow('keys list');
        say('Every key is the one of the account, so these webhooks are forged, and nothing has to be done.');
      },
    };
  },
};

const mislabelled: Scenario = {
  name: 'mislabelled',
  title: 'The sandbox key signs an event that claims to be live',
  alarm: 'DecisionsWaiting',
  page: {
    group: 'wrong input',
    does: 'Sends a payment that claims to be live, signed with the sandbox key.',
    expected: 'It is quarantined in the sandbox, and there is no live order.',
    guarantee: 'A test key can never pay a live order.',
  },
  async begin(stage) {
    const event = paidEvent({ orderId: stage.orderId, amount: '10.00' });
    await stage.send(event, { signer: 'sandbox' });
    await seeWaiting(stage, event, { kind: 'quarantined', mode: 'sandbox' });
    await seeNoOrder(stage);
    return {
      // The runbook's command, in the mode that `payhooks status` shows.
      repair: ({ type }) => type(`payhooks events dismiss ${event.id} --sandbox --reason "test"`),
    };
  },
};

const malformed: Scenario = {
  name: 'malformed',
  title: 'A signed body is not JSON',
  alarm: 'DecisionsWaiting',
  page: {
    group: 'wrong input',
    does: 'Sends a body that is signed with the right key and is not JSON.',
    expected: 'It gets 2xx, its bytes are stored, and it waits for a person as unrecognised.',
    guarantee: 'The bytes are stored as they came, even when nobody can read them.',
  },
  async begin(stage) {
    const body = Buffer.from(`${randomUUID()}: not JSON at all`, 'utf8');
    await stage.send(body);
    const HASH = await seeWaiting(stage, body, { kind: 'unrecognised' });
    const options = { section: 'unrecognised', values: { HASH } };
    return {
      async repair({ follow }) {
        await follow('events list', options);
        await follow('events show', options);
        await follow('events dismiss', options);
      },
    };
  },
};

const conflict: Scenario = {
  name: 'conflict',
  title: 'Two bodies arrive under one event id',
  alarm: 'DecisionsWaiting',
  page: {
    group: 'wrong input',
    does: 'Sends payments for two orders under one event id.',
    expected: 'The first counts, the second waits for a person, and the order is marked.',
    guarantee: 'Both bodies are kept, and an operator can let both count.',
  },
  async begin(stage) {
    const { orderId } = stage;
    const first = paidEvent({ orderId, amount: '75.00' });
    const second = `${orderId}-b`;
    await stage.send(first);
    const other = paidEvent({ orderId: second, eventId: first.id, amount: '57.00' });
    await stage.send(other);
    const HASH = await seeWaiting(stage, other, { kind: 'conflict' });
    await seeOrder(stage, { status: 'paid', attention: ['conflicting_event'] });
    const options = { section: 'conflict', values: { ID: first.id, HASH, ORDER_ID: second } };
    return {
      async repair({ follow }) {
        await follow('events list', options);
        await follow('events show', options);
        const line = 'the payment service confirms both payments';
        await follow('events admit', { ...options, line });
        await seeOrder(stage, { status: 'paid', orderId: second });
      },
    };
  },
};

const refundWithoutOrder: Scenario = {
  name: 'refund-without-order',
  title: 'A refund names no order, and its payment is not known',
  alarm: 'DecisionsWaiting',
  page: {
    group: 'wrong input',
    does: 'Sends a refund that names no order, of a transaction that no payment named.',
    expected: 'The refund waits for a person as unassigned.',
    guarantee: 'Nothing that was accepted is dropped: what has no order waits, with an alarm.',
  },
  async begin(stage) {
    const refund = refundedEvent({ orderId: '', amount: '20.00' });
    await stage.send(refund);
    await seeWaiting(stage, refund, { kind: 'unassigned' });
    const options = { section: 'unassigned', values: { ID: refund.id, ORDER_ID: stage.orderId } };
    return {
      async repair({ follow, type }) {
        await stage.send(paidEvent({ orderId: stage.orderId }));
        await follow('events list', options);
        await follow('events show', options);
        await follow('events admit', options);
        const attention = ['refund_without_payment'] as const;
        await seeOrder(stage, { status: 'partially_refunded', attention, events: 2 });
        // It waits for a person too; the runbook's command, with this attention.
        const resolve = `orders resolve ${stage.orderId} --attention ${attention[0]}`;
        await type(`payhooks ${resolve} --reason "its payment is in the old shop"`);
      },
    };
  },
};

/** What no payment service should send, and what a stranger sends. */
export const wrongInputScenarios = [
  ...[forged, forgedFlood, mislabelled, malformed, conflict, refundWithoutOrder],
];
