import { createHash, createHmac } from 'node:crypto';
import type { BusMessage, Delivery, History, HttpCall, Mode, Row } from '../../tools/simulation/history.ts';

/** A history whose parts a test may change. */
export type Changeable<T> = T extends readonly (infer E)[]
  ? Changeable<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Changeable<T[K]> }
    : T;

const keys = { live: 'pri_live', sandbox: 'pri_sandbox_s' } as const;
const startedAt = Date.UTC(2026, 10, 22, 10);

interface Sample {
  readonly mode?: Mode;
  readonly id: string;
  readonly name: string;
  readonly sandbox?: boolean;
  readonly order?: string | null;
  readonly transaction: string;
  readonly amount: string;
}

const textOf = ({ mode, id, name, sandbox, order, transaction, amount }: Sample): string =>
  JSON.stringify({
    ...{ id, event_name: name, sandbox: sandbox ?? mode === 'sandbox' },
    payload: { transaction: { id: transaction, amount, currency: 'USD', order_id: order } },
  });

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const sign = (text: string, mode: Mode): string =>
  createHmac('sha256', keys[mode]).update(text).digest('hex');

const samples = {
  paid: { id: 'evt-1', name: 'transaction.paid', order: 'order-1', transaction: 'T-1', amount: '100.00' },
  refund: { id: 'evt-2', name: 'transaction.refunded', order: null, transaction: 'T-1', amount: '40.00' },
  tried: {
    mode: 'sandbox',
    id: 'evt-1',
    name: 'transaction.paid',
    order: 'order-1',
    transaction: 'T-1',
    amount: '5',
  },
  crossed: {
    id: 'evt-3',
    name: 'transaction.paid',
    sandbox: true,
    order: 'order-1',
    transaction: 'T-3',
    amount: '9',
  },
  first: { id: 'evt-4', name: 'transaction.paid', order: 'order-2', transaction: 'T-2', amount: '7' },
  second: { id: 'evt-4', name: 'transaction.paid', order: 'order-1', transaction: 'T-2', amount: '8' },
  lonely: { id: 'evt-5', name: 'transaction.refunded', order: null, transaction: 'T-9', amount: '1' },
  odd: { id: 'evt-6', name: 'transaction.odd', order: 'order-2', transaction: 'T-2', amount: '7' },
} as const satisfies Readonly<Record<string, Sample>>;
export const texts = { ...mapped(samples, textOf), noEvent: 'not json' };
export type SampleName = keyof typeof texts;

const modeOf = (name: SampleName): Mode => (name === 'tried' ? 'sandbox' : 'live');

function mapped<K extends string, A, B>(all: Readonly<Record<K, A>>, change: (one: A) => B): Record<K, B> {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, change(one as A)])) as Record<K, B>;
}

function delivery(name: SampleName, number: number): Delivery {
  const [text, mode] = [texts[name], modeOf(name)];
  const attempt = (at: number, outcome: Delivery['attempts'][number]['outcome']) => {
    return { at, endedAt: at + 100, signature: sign(text, mode), key: keys[mode], outcome };
  };
  const at = startedAt + number * 60_000;
  const attempts = [
    attempt(at, { kind: 'unknown' }),
    attempt(at + 9_000, { kind: 'status', status: 202, body: '' }),
  ];
  const kind = name === 'noEvent' ? 'genuine_unreadable' : 'genuine';
  return { number, kind, mode, body: Buffer.from(text).toString('base64'), attempts };
}

const forgery: Delivery = {
  ...delivery('paid', 99),
  ...{ kind: 'forged', mode: undefined, body: Buffer.from('{"id":"evil"}').toString('base64') },
  attempts: [
    {
      ...{ at: startedAt, endedAt: startedAt + 5, signature: 'f'.repeat(64), key: 'pri_evil' },
      outcome: { kind: 'status', status: 403, body: '' },
    },
  ],
};

const meaningOf = (name: string): string | undefined => /(paid|refunded)$/.exec(name)?.[0];
const binary = (hex: string) => ({ B: Buffer.from(hex, 'hex').toString('base64') });
const textValues = (values: Readonly<Record<string, string | null | undefined>>): Row =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, text]) => (text == null ? [] : [[name, { S: text }]])),
  );

/** What is read in a body, as its row has it. */
const reading = ({ name, order, transaction, amount }: Sample): Row =>
  textValues({
    ...{ event_name: name, meaning: meaningOf(name), order_id: order, transaction_id: transaction },
    ...{ amount, currency: 'USD' },
  });

/** The row of a body, as docs/data.md describes it. */
function row(name: SampleName, place: string, more: Readonly<Record<string, string>>): Row {
  const [text, mode] = [texts[name], modeOf(name)];
  const sha = sha256(text);
  const isEvent = name !== 'noEvent';
  const own = ['event', 'unrecognised'].includes(place) ? place : `${place}:${sha}`;
  const id = isEvent ? `event:${samples[name].id}` : `body:${sha}`;
  return {
    ...textValues({ event_key: `${mode}:${id}`, record: own }),
    body_sha256: binary(sha),
    signature: binary(sign(text, mode)),
    ...{ body: { B: Buffer.from(text).toString('base64') }, body_encoding: { S: 'identity' } },
    ...(isEvent && reading(samples[name])),
    ...textValues(more),
  };
}

/** What counts of an event. */
export const factOf = (name: Exclude<SampleName, 'noEvent'>): string => {
  const { id, name: eventName, transaction, amount, order } = samples[name];
  const fact = [meaningOf(eventName) ?? 'history', id, eventName, transaction, amount, 'USD', null];
  return JSON.stringify(order === null ? [...fact, 'transaction'] : fact);
};
const conflict = JSON.stringify(['conflict', 'evt-4', sha256(texts.second)]);
const transactionRow = (key: string, ...entries: readonly string[]): Row => ({
  ...textValues({ event_key: key, record: 'transaction' }),
  entries: { SS: entries },
});
const orderEntry = (name: 'paid' | 'first'): string =>
  JSON.stringify(['order', 'paid', samples[name].id, samples[name].order]);

const decision = { by: 'arn:operator', reason: 'a test', at: '2026-11-22T10:30:00.000Z' };
const judged = {
  M: { verdict: { S: 'dismissed' }, ...mapped(decision, (value) => ({ S: value })) },
};
const actRow = (key: string): Row => ({
  ...textValues({ event_key: key, record: `act:${decision.at}:0`, act: 'dismiss', ...decision }),
});

const transaction = (id: string, status: string, amount: string) => {
  return { id, status, amount, currency: 'USD', created_at: null };
};
const shownEvent = ({ id, name, transaction: transaction_id, amount }: Sample) => {
  return { id, event_name: name, transaction_id, amount, currency: 'USD' };
};
const views = [
  {
    ...{ order_id: 'order-1', mode: 'live' as Mode, status: 'partially_refunded' },
    attention: ['conflicting_event'] as string[],
    transactions: [transaction('T-1', 'partially_refunded', '100.00')],
    events: [samples.paid, samples.refund].map(shownEvent),
    ...{ sequence: 3, updated_at: '2026-11-22T10:02:00.000Z' },
  },
  {
    ...{
      order_id: 'order-2',
      mode: 'live' as Mode,
      status: 'paid',
      attention: ['conflicting_event'] as string[],
    },
    transactions: [transaction('T-2', 'paid', '7')],
    events: [samples.first, samples.odd].map(shownEvent),
    ...{ sequence: 3, updated_at: '2026-11-22T10:07:00.000Z' },
  },
  {
    ...{ order_id: 'order-1', mode: 'sandbox' as Mode, status: 'paid', attention: [] as string[] },
    transactions: [transaction('T-1', 'paid', '5')],
    events: [samples.tried].map(shownEvent),
    ...{ sequence: 1, updated_at: '2026-11-22T10:03:00.000Z' },
  },
] as const;

const get = (path: string, mode: Mode, body: unknown): HttpCall => ({
  ...{
    at: startedAt,
    endedAt: startedAt,
    caller: 'reader',
    method: 'GET',
    path,
    pathParameters: {},
    query: { mode },
    body: null,
  },
  outcome: { kind: 'status', status: 200, body },
});
const ofMode = (mode: Mode) => views.filter((view) => view.mode === mode);
const followerOf = (mode: Mode) => ({
  mode,
  pages: [get('/orders', mode, { orders: ofMode(mode), next_cursor: null })],
});

function change(
  view: (typeof views)[number],
  sequence: number,
  before: string | null,
  now: string,
): BusMessage {
  const attention = sequence === view.sequence ? view.attention : [];
  const detail = {
    id: `${view.mode} ${view.order_id} ${sequence}`,
    ...{ order_id: view.order_id, mode: view.mode, sequence },
    previous: before === null ? null : { status: before, attention: [] },
    current: { status: now, attention },
    transactions: [{ ...view.transactions[0], status: now }],
    caused_by: [{ id: view.events[0]?.id, event_name: view.events[0]?.event_name }],
  };
  const source = view.mode === 'live' ? 'payhooks' : 'payhooks.sandbox';
  return {
    at: startedAt,
    id: detail.id,
    source,
    detailType: 'OrderStatusChanged',
    detail: JSON.stringify(detail),
  };
}

const waiting = (kind: string, name: SampleName, event_name: string | null = null) => {
  return { kind, event_name, body_sha256: event_name === null ? sha256(texts[name]) : null };
};
const gauges = { EventConflicts: 1, EventsUnrecognised: 1, EventsUnassigned: 1, EventNamesUnknown: 1 };
const orderRow = ({ mode, order_id }: (typeof views)[number], facts: readonly string[]): Row => ({
  ...{ order_key: { S: `${mode}:order:${order_id}` }, sequence: { N: String(facts.length) } },
  facts: { SS: facts },
});

/** A run in which something of every kind happened, and all rules hold. */
export function sampleHistory(): Changeable<History> {
  const [one, two, three] = views;
  const names = Object.keys(texts) as SampleName[];
  const history: History = {
    ...{
      seed: 1,
      orderBytesMax: 400 * 1024,
      formerly: undefined,
      startedAt,
      faultsEndedAt: startedAt,
      endedAt: startedAt + 3_600_000,
    },
    settings: {
      ...{ eventRetentionDays: undefined, eventMeanings: {} },
      ...{ changesSettleSeconds: 30, signatureHeader: 'x-service-signature', sequenceBase: 0 },
    },
    deliveries: [...names.map(delivery), forgery],
    secretValues: [
      {
        at: startedAt - 3_600_000,
        keys: (['live', 'sandbox'] as const).map((mode) => ({
          key: keys[mode],
          mode,
          acceptedUntil: undefined,
        })),
      },
    ],
    operatorCalls: [
      {
        ...get('/operations/dismiss', 'live', {
          act: 'dismiss',
          mode: 'live',
          changed: true,
          ...decision,
          orders: [],
        }),
        ...{ method: 'POST', caller: decision.by, body: { event_id: 'evt-3', reason: decision.reason } },
      },
    ],
    ...{ redrives: [], heartbeats: [] },
    streamRecords: [],
    followers: (['live', 'sandbox'] as const).map(followerOf),
    finalReads: {
      orders: views.map((view) => get(`/orders/${view.order_id}`, view.mode, view)),
      ...{ orderEvents: [], events: [] },
      waiting: [
        get('/operations/waiting', 'live', {
          events: [
            waiting('conflict', 'second'),
            waiting('unrecognised', 'noEvent'),
            waiting('unassigned', 'lonely'),
            waiting('event_name', 'odd', 'transaction.odd'),
          ],
        }),
      ],
    },
    tables: {
      events: [
        row('paid', 'event', { outcome: 'applied' }),
        { ...row('refund', 'event', { outcome: 'applied' }), assigned_order_ids: { SS: ['order-1'] } },
        row('tried', 'event', { outcome: 'applied' }),
        {
          ...row('crossed', 'quarantine', { outcome: 'quarantined', reason: 'sandbox_flag_disagrees' }),
          judged,
        },
        row('first', 'event', { outcome: 'applied' }),
        row('second', 'conflict', { outcome: 'conflict', waiting: 'live:conflict' }),
        row('lonely', 'event', { outcome: 'unassigned', waiting: 'live:unassigned' }),
        row('odd', 'event', { outcome: 'applied' }),
        row('noEvent', 'unrecognised', { outcome: 'unrecognised', waiting: 'live:unrecognised' }),
        {
          ...{ event_key: { S: 'live:name:transaction.odd' }, record: { S: 'event_name' } },
          waiting: { S: 'live:event_name' },
        },
        actRow('live:event:evt-3'),
        transactionRow('live:transaction:T-1', orderEntry('paid'), factOf('refund')),
        transactionRow('live:transaction:T-2', orderEntry('first')),
        transactionRow('live:transaction:T-9', factOf('lonely')),
        transactionRow('sandbox:transaction:T-1', orderEntry('paid')),
      ],
      orders: [
        orderRow(one, [factOf('paid'), factOf('refund'), conflict]),
        orderRow(two, [factOf('first'), factOf('odd'), conflict]),
        orderRow(three, [factOf('tried')]),
      ],
    },
    expiredRows: [],
    queues: { events: [], deadLetters: [], feedFailures: [] },
    bus: [
      change(one, 1, null, 'paid'),
      change(one, 2, 'paid', 'partially_refunded'),
      change(one, 3, 'partially_refunded', 'partially_refunded'),
      change(two, 1, null, 'paid'),
      change(two, 3, 'paid', 'paid'),
      change(three, 1, null, 'paid'),
    ],
    metrics: Object.entries(gauges).map(([name, value]) => {
      return { at: startedAt, from: 'waiting-count', name, value };
    }),
    ...{ logLines: [], invocations: [], calls: [], counters: {} },
  };
  return structuredClone(history) as Changeable<History>;
}
