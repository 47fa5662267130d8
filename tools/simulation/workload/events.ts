import type { MeantEvent, Mode } from '../history.ts';
import type { Random } from '../random.ts';

/** A webhook before it is sent. */
export interface Draft {
  readonly mode: Mode;
  readonly body: Buffer;
  readonly meant: MeantEvent | undefined;
}

/** The order and the transaction that an event is about. */
export interface Subject {
  readonly orderId: string | undefined;
  readonly transactionId: string;
}

interface Written {
  readonly amount: string;
  readonly currency?: string;
  /** Of an event that repeats the id of another one. */
  readonly id?: string;
  /** Parts of the body that differ from what the API document shows. */
  readonly broken?: Readonly<Record<string, unknown>>;
}

/** Where another version looks for the order, the transaction and the amount, and what it finds there. */
export type FormerReading = Pick<MeantEvent, 'transactionId' | 'amount' | 'orderId'>;

export interface Writer {
  /** The event of API document 2.3 as bytes, in one of several spellings of the same JSON. */
  write(name: string, subject: Subject, written: Written): Draft;
  /** The same event in other bytes: another customer, other white space. */
  rewrite(draft: Draft): Draft;
}

/** Writes the events of one mode; `formerly` is what a former version reads in them, if there was one. */
export function createWriter(
  mode: Mode,
  random: Random,
  formerly?: (event: MeantEvent) => FormerReading,
): Writer {
  function bytesOf(event: MeantEvent, broken: Readonly<Record<string, unknown>> = {}): Buffer {
    const transaction = {
      ...{ id: event.transactionId, amount: event.amount, status: 1, currency: event.currency },
      ...{ order_id: event.orderId, created_at: event.createdAt, base_amount: null, base_currency: null },
      ...('transaction' in broken ? (broken['transaction'] as object) : {}),
    };
    const customer = {
      id: random.uuid(),
      name: random.pick(['Nobody Real', 'Ünïcode 名前', '']),
      email: null,
    };
    const payload = { customer, metadata: { type: 'checkout', 'shop.example': 'cart' }, transaction };
    const { transaction: _, ...top } = broken;
    const read = formerly?.(event);
    const former = read && {
      ...transaction,
      ...(read !== event && { id: read.transactionId, amount: read.amount, order_id: read.orderId }),
    };
    const whole = former === undefined ? payload : { ...payload, former };
    const json = {
      id: event.id,
      event_name: event.eventName,
      sandbox: event.sandbox,
      payload: whole,
      ...top,
    };
    return Buffer.from(JSON.stringify(json, undefined, random.pick([0, 0, 1, 2])));
  }
  return {
    write(eventName, { orderId, transactionId }, { amount, currency = 'EUR', id = random.uuid(), broken }) {
      const second = String(random.integer(10, 59));
      const createdAt = `2026-11-01T08:00:${second}.000000Z`;
      const meant = {
        ...{
          id,
          eventName,
          sandbox: mode === 'sandbox',
          transactionId,
          amount,
          currency,
          orderId,
          createdAt,
        },
      };
      const formerOrderId = formerly?.(meant).orderId;
      const isOther = formerOrderId !== undefined && formerOrderId !== meant.orderId;
      const known = { ...meant, ...(isOther && { formerOrderId }) };
      return { mode, body: bytesOf(meant, broken), meant: broken === undefined ? known : undefined };
    },
    rewrite: ({ meant, body }) => ({ mode, meant, body: meant === undefined ? body : bytesOf(meant) }),
  };
}
