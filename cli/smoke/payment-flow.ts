import { setTimeout as pause } from 'node:timers/promises';
import type { Order, OrderClient } from '@payhooks/order-client';
import { bytesOf, paidEvent, refundedEvent, type SampleOptions } from '@payhooks/payment-service/simulator';
import { type CheckResult, counted, failed, passed } from '../../operator/check-result.ts';
import { readEventBody } from '../../operator/event-body.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { openOrderQuery } from '../../operator/order-query.ts';
import { type Followed, followOrder } from '../send/follow.ts';
import { isAccepted, meaningOf } from '../send/post.ts';
import { type Deployment, orderIdOf } from './deployment.ts';
import { postWebhook, signatureOf } from './webhook.ts';

const mode = 'sandbox';
const runbookSections: Readonly<Record<number, string>> = {
  403: 'docs/runbook.md#signaturemismatches, docs/runbook.md#signaturekeysexpired',
  503: 'docs/runbook.md#webhookservererrors',
};

/** One sandbox order with its payment and its refund. */
export class PaymentFlow {
  readonly #paid: Uint8Array;
  readonly #refunded: Uint8Array;
  readonly #orders: OrderClient;
  readonly #deployment: Deployment;
  readonly #key: string;
  readonly #orderId: string;
  /** How long the run may still wait for the verifier to read its key, over all posts. */
  #patienceMilliseconds: number;

  constructor(deployment: Deployment, key: string) {
    const orderId = orderIdOf(deployment, 'order');
    const sample: SampleOptions = { orderId, sandbox: true, transactionId: `${orderId}-transaction` };
    this.#paid = bytesOf(paidEvent(sample));
    this.#refunded = bytesOf(refundedEvent(sample));
    this.#orders = openOrderQuery(deployment.stack);
    this.#deployment = deployment;
    this.#patienceMilliseconds = deployment.session.waits.acceptanceMilliseconds;
    this.#key = key;
    this.#orderId = orderId;
  }

  isAccepted(): Promise<CheckResult> {
    return this.#send(this.#paid);
  }

  becomesPaid(): Promise<CheckResult> {
    return this.#follow(this.#paid, 'paid', 1);
  }

  async bytesAreKept(): Promise<CheckResult> {
    const { eventId = '' } = readEventBody(this.#paid);
    const { body_base64 } = await this.#orders.event(eventId, { mode });
    if (body_base64 === Buffer.from(this.#paid).toString('base64')) {
      return passed(`GET /events/{event_id} returns the ${this.#paid.length} bytes that were sent`);
    }
    return failed('GET /events/{event_id} returns other bytes', 'docs/architecture.md (invariants)');
  }

  async staysTheSame(): Promise<CheckResult> {
    const before = await this.#order();
    const sent = await this.#send(this.#paid);
    if (sent.status !== 'passed') return sent;
    const { smokeSettleMilliseconds, smokeSettlePollMilliseconds } = this.#deployment.session.waits;
    const until = performance.now() + smokeSettleMilliseconds;
    while (performance.now() < until) {
      await pause(smokeSettlePollMilliseconds);
      const after = await this.#order();
      if (after.sequence === before.sequence && after.updated_at === before.updated_at) continue;
      const change = `from sequence ${before.sequence} to ${after.sequence}`;
      return failed(`the same bytes again changed the order, ${change}`, 'docs/architecture.md (invariants)');
    }
    return passed(`the same bytes again are accepted and change nothing: sequence ${before.sequence}`);
  }

  async becomesRefunded(): Promise<CheckResult> {
    const sent = await this.#send(this.#refunded);
    return sent.status === 'passed' ? this.#follow(this.#refunded, 'refunded', 2) : sent;
  }

  /**
   * Posts a body until the Lambda instance that receives it knows the key. An instance reads its secret again
   * ten seconds after it last did, and every few seconds while it has no key at all. So one pause after a
   * refusal is enough, and a valid key is refused at most once in a run.
   */
  async #send(body: Uint8Array): Promise<CheckResult> {
    const signature = signatureOf(this.#key, body);
    const { terminal, waits } = this.#deployment.session;
    const { acceptanceMilliseconds, keylessPauseMilliseconds } = waits;
    /** How long to wait before the next post after these statuses. */
    const pauses = new Map([
      [403, acceptanceMilliseconds],
      [503, keylessPauseMilliseconds],
    ]);
    let { status } = await postWebhook(this.#deployment, body, signature);
    while (this.#patienceMilliseconds > 0) {
      const milliseconds = pauses.get(status);
      if (milliseconds === undefined) break;
      const seconds = acceptanceMilliseconds / 1_000;
      terminal.progress(`Waiting until the verifier has read the key (up to ${seconds} s) …`);
      await pause(milliseconds);
      this.#patienceMilliseconds -= milliseconds;
      ({ status } = await postWebhook(this.#deployment, body, signature));
    }
    if (isAccepted(status)) return passed(`a signed sandbox event gets a ${status}`);
    const section = runbookSections[status] ?? 'docs/runbook.md#webhookservererrors';
    return failed(`a signed sandbox event gets a ${status}, ${meaningOf(status)}`, section);
  }

  #order(): Promise<Order> {
    return this.#orders.order(this.#orderId, { mode });
  }

  async #follow(body: Uint8Array, status: Order['status'], events: number): Promise<CheckResult> {
    const { session, target } = this.#deployment;
    let followed: Followed;
    try {
      followed = await followOrder(session, target, { event: readEventBody(body), body, mode });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return failed(error.message, 'docs/runbook.md#eventsdelayed, docs/runbook.md#consumererrors');
    }
    const { order, waiting } = followed;
    if (order === undefined) {
      const reasons = waiting.map(({ kind, reason }) => reason ?? kind).join(', ');
      return failed(`the event waits for a person: ${reasons}`, 'docs/runbook.md#what-waits');
    }
    const { sequence, attention } = order;
    const seen = `${order.order_id} is ${order.status} after ${counted(order.events.length, 'event')}`;
    // The sequence counts facts, so a repetition that was counted twice shows in it.
    const isRight = order.status === status && order.events.length === events && sequence === events;
    if (isRight && attention.length === 0) return passed(seen);
    const details = `sequence ${sequence}, attention [${attention.join(', ')}]`;
    return failed(
      `${seen}, ${details}; expected ${status} after ${events}`,
      'docs/runbook.md#consumererrors',
    );
  }
}
