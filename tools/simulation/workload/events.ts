import type { Mode } from '../history.ts';
import type { Random } from '../random.ts';

/** What the sender means by a body: the fields of the API document, section 2.3, that stories choose. */
export interface MeantEvent {
  readonly id: string;
  readonly action: string;
  readonly order: string | null;
  readonly transaction: string;
  readonly amount: string;
  readonly currency: string;
  readonly createdAt: string;
}

/** A webhook before it is sent. */
export interface Draft {
  readonly mode: Mode;
  readonly body: Buffer;
  /** `undefined` for what is no event, or is broken. */
  readonly meant: MeantEvent | undefined;
}

interface Meant extends Partial<MeantEvent> {
  /** Parts of the body that differ from what the API document shows. */
  readonly broken?: Readonly<Record<string, unknown>>;
}

export type Writer = ReturnType<typeof createWriter>;

interface WriterParts {
  readonly mode: Mode;
  readonly random: Random;
  /** The full id of an order or a transaction. */
  readonly idOf: (what: string) => string;
  /** What a former version reads in an event; `undefined` when it looks at the same places. */
  readonly formerly?: (event: MeantEvent) => MeantEvent;
}

/** Writes the events of one customer's purchase. */
export function createWriter({ mode, random, idOf, formerly }: WriterParts) {
  const transactionOf = (event: MeantEvent, broken: object = {}) => ({
    ...{ id: idOf(event.transaction), amount: event.amount, status: 1, currency: event.currency },
    ...{ order_id: event.order === null ? undefined : idOf(event.order), created_at: event.createdAt },
    ...{ base_amount: null, base_currency: null, ...broken },
  });
  function bytesOf(event: MeantEvent, { transaction: brokenPart, ...broken }: Meant['broken'] = {}): Buffer {
    const name = random.pick(['Nobody Real', 'Ünïcode 名前', '']);
    const payload = {
      customer: { id: random.uuid(), name, email: null },
      metadata: { type: 'checkout', 'shop.example': 'cart' },
      transaction: transactionOf(event, brokenPart as object),
      ...(formerly && { former: transactionOf(formerly(event), brokenPart as object) }),
    };
    const event_name = `transaction.${event.action}`;
    const json = { id: event.id, event_name, sandbox: mode === 'sandbox', payload, ...broken };
    return Buffer.from(JSON.stringify(json, undefined, random.pick([0, 0, 1, 2])));
  }
  return {
    /** An event such as `transaction.paid` as bytes, in one of several spellings of the same JSON. */
    write(action: string, amount: string, { broken, ...given }: Meant = {}): Draft {
      const createdAt = `2026-11-01T08:00:${random.integer(10, 59)}.000000Z`;
      const usual = { id: random.uuid(), order: 'order', transaction: 'transaction', currency: 'EUR' };
      const meant = { action, amount, createdAt, ...usual, ...given };
      return { mode, body: bytesOf(meant, broken), meant: broken === undefined ? meant : undefined };
    },
    /** The same event in other bytes: another customer, other white space. */
    rewrite: ({ meant, body }: Draft): Draft => ({
      mode,
      meant,
      body: meant === undefined ? body : bytesOf(meant),
    }),
  };
}

/** What a former version reads in the events of a story: often the same, sometimes another order. */
export function misreader(random: Random, { order }: { readonly order?: string } = {}) {
  const readings = new Map<string, Partial<MeantEvent>>();
  return function misread(event: MeantEvent): MeantEvent {
    const known = readings.get(event.id) ?? (order === undefined ? chooseReading(event, random) : { order });
    readings.set(event.id, known);
    return { ...event, ...known };
  };
}

function chooseReading({ order, transaction, amount }: MeantEvent, random: Random): Partial<MeantEvent> {
  if (random.chance(0.3)) return {};
  return {
    order: random.pick([order, order, 'order', 'other order', null]),
    transaction: random.pick([transaction, transaction, 'transaction', 'other transaction']),
    amount: random.pick([amount, amount, '1.00']),
  };
}
