import { setTimeout as pause } from 'node:timers/promises';
import { bytesOf, paidEvent, refundedEvent, type SampleOptions } from '@payhooks/payment-service/simulator';
import type { Order, OrderClient } from '../../client/index.ts';
import { CommandError } from '../command-error.ts';
import { readEventBody } from '../event-body.ts';
import { smokeSettleMilliseconds, smokeSettlePollMilliseconds } from '../limits.ts';
import { openOrderQuery } from '../order-query.ts';
import { followOrder } from '../send/follow.ts';
import { isAccepted, meaningOf } from '../send/post.ts';
import { counted, type Finding, failed, passed } from './check.ts';
import { type Deployment, orderIdOf } from './deployment.ts';
import { newPatience, postUntilAccepted, signatureOf } from './webhook.ts';

const mode = 'sandbox';

/** One order, its payment and its refund. */
export class PaymentFlow {
  readonly #paid: Uint8Array;
  readonly #refunded: Uint8Array;
  readonly #orders: OrderClient;
  readonly #deployment: Deployment;
  readonly #key: string;
  readonly #orderId: string;
  readonly #patience = newPatience();

  constructor(deployment: Deployment, key: string) {
    const orderId = orderIdOf(deployment, 'order');
    const about: SampleOptions = { orderId, sandbox: true, transactionId: `${orderId}-transaction` };
    this.#paid = bytesOf(paidEvent(about));
    this.#refunded = bytesOf(refundedEvent(about));
    this.#orders = openOrderQuery(deployment.stack);
    this.#deployment = deployment;
    this.#key = key;
    this.#orderId = orderId;
  }

  isAccepted(): Promise<Finding> {
    return this.#send(this.#paid);
  }

  /** Each delivery may meet another copy of the verifier, which has not read the key yet. */
  async #send(body: Uint8Array): Promise<Finding> {
    const signed = { body, signature: signatureOf(this.#key, body) };
    const { status } = await postUntilAccepted(this.#deployment, signed, this.#patience);
    if (isAccepted(status)) return passed(`a signed sandbox event is answered ${status}`);
    const where: Readonly<Record<number, string>> = {
      403: 'docs/runbook.md#signaturemismatches, docs/runbook.md#secretreadfailed',
      503: 'docs/runbook.md#keysunavailable, docs/runbook.md#queueunavailable',
    };
    const said = `a signed sandbox event is answered ${status}, ${meaningOf(status)}`;
    return failed(said, where[status] ?? 'docs/runbook.md#webhookservererrors');
  }

  becomesPaid(): Promise<Finding> {
    return this.#expectAfter(this.#paid, 'paid', 1);
  }

  async bytesAreKept(): Promise<Finding> {
    const { eventId = '' } = readEventBody(this.#paid);
    const { body_base64 } = await this.#orders.event(eventId, { mode });
    if (body_base64 === Buffer.from(this.#paid).toString('base64')) {
      return passed(`GET /events/{event_id} gives back the ${this.#paid.length} bytes that were sent`);
    }
    return failed(
      'GET /events/{event_id} gives back other bytes',
      'docs/architecture.md (the bytes are the truth)',
    );
  }

  async staysTheSame(): Promise<Finding> {
    const before = await this.#order();
    const sent = await this.#send(this.#paid);
    if (sent.outcome !== 'passed') return sent;
    const until = performance.now() + smokeSettleMilliseconds;
    while (performance.now() < until) {
      await pause(smokeSettlePollMilliseconds);
      const after = await this.#order();
      if (after.sequence === before.sequence && after.updated_at === before.updated_at) continue;
      const change = `from sequence ${before.sequence} to ${after.sequence}`;
      return failed(`the same bytes again changed the order, ${change}`, 'docs/architecture.md (invariants)');
    }
    return passed(`the same bytes again are answered 202 and change nothing: sequence ${before.sequence}`);
  }

  async becomesRefunded(): Promise<Finding> {
    const sent = await this.#send(this.#refunded);
    if (sent.outcome !== 'passed') return sent;
    return this.#expectAfter(this.#refunded, 'refunded', 2);
  }

  #order(): Promise<Order> {
    return this.#orders.order(this.#orderId, { mode });
  }

  async #expectAfter(body: Uint8Array, status: Order['status'], events: number): Promise<Finding> {
    const { session, target } = this.#deployment;
    try {
      return this.#expect(
        await followOrder(session, target, { event: readEventBody(body), mode }),
        status,
        events,
      );
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return failed(error.message, 'docs/runbook.md#eventsdelayed, docs/runbook.md#consumererrors');
    }
  }

  /** The sequence counts facts: a repetition that was taken for news would show here. */
  #expect(order: Order, status: Order['status'], events: number): Finding {
    const seen = `${order.order_id} is ${order.status} after ${counted(order.events.length, 'event')}`;
    const isRight = order.status === status && order.events.length === events && order.sequence === events;
    if (isRight && order.attention.length === 0) return passed(seen);
    const told = `${seen}, sequence ${order.sequence}, attention [${order.attention.join(', ')}]`;
    return failed(`${told}; expected ${status} after ${events}`, 'docs/runbook.md#consumererrors');
  }
}
