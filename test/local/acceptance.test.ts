import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '../../local/payment-service/sample-events.ts';
import { type RunningPipeline, runPipeline } from './running-pipeline.ts';

let pipeline: RunningPipeline;

beforeAll(async () => {
  pipeline = await runPipeline();
});
afterAll(() => pipeline.stop());

const refusal = { status: 403, body: '{"message":"Invalid signature"}' };
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a signed payment', () => {
  it.each(['filled', 'null'] as const)(
    'makes an order paid, with nullable fields %s (2.3)',
    async (nullable) => {
      const orderId = `paid-${nullable}`;
      const body = bytesOf(
        paidEvent({ orderId, nullable, transactionId: `txn-${nullable}`, eventId: `evt-${nullable}` }),
      );
      expect(await pipeline.post(body)).toMatchObject({ status: 202, body: '{"status":"accepted"}' });
      const order = await pipeline.order(orderId, ({ status }) => status === 'paid');
      expect(order).toMatchObject({
        order_id: orderId,
        mode: 'live',
        status: 'paid',
        attention: [],
        transactions: [{ id: `txn-${nullable}`, status: 'paid', amount: '100.00', currency: 'USD' }],
        events: [{ id: `evt-${nullable}`, event_name: 'transaction.paid' }],
      });
    },
  );

  it('changes nothing when it is posted twenty more times', async () => {
    const body = bytesOf(paidEvent({ orderId: 'twenty', eventId: 'evt-twenty' }));
    await pipeline.post(body);
    const first = await pipeline.order('twenty', ({ status }) => status === 'paid');
    const again = await Promise.all(Array.from({ length: 20 }, () => pipeline.post(body)));
    expect(again.map(({ status }) => status)).toEqual(Array(20).fill(202));
    await pipeline.settled();
    expect(await pipeline.order('twenty')).toEqual(first);
    expect(await pipeline.rowsOfEvents('live:event:evt-twenty')).toEqual(['event']);
  });

  it.each([
    ['payment first', [paidEvent, refundedEvent]],
    ['refund first', [refundedEvent, paidEvent]],
    ['failure, refund, payment', [failedEvent, refundedEvent, paidEvent]],
  ])('ends refunded after its refund: %s', async (name, makers) => {
    const options = { orderId: `order of ${name}`, seed: name };
    for (const make of makers) {
      await pipeline.post(bytesOf(make(options)));
      await pipeline.settled();
    }
    const order = await pipeline.order(options.orderId);
    expect(order).toMatchObject({ status: 'refunded', attention: [] });
    expect(order['events']).toHaveLength(makers.length);
  });

  it('keeps an unknown event as history', async () => {
    await pipeline.post(bytesOf(unknownEvent({ orderId: 'history', eventName: 'transaction.disputed' })));
    const order = await pipeline.order('history', () => true);
    expect(order).toMatchObject({ status: 'pending', events: [{ event_name: 'transaction.disputed' }] });
  });

  it.each(['a/b', 'a?b=c&d', 'a%2Fb', 'ümläut 😀', "o'neil #1", 'a b+c'])(
    'is found under the order id %j',
    async (orderId) => {
      await pipeline.post(bytesOf(paidEvent({ orderId })));
      expect(await pipeline.order(orderId, () => true)).toMatchObject({ order_id: orderId, status: 'paid' });
    },
  );
});

describe('a signature that is not right', () => {
  const body = bytesOf(paidEvent({ orderId: 'forged', eventId: 'evt-forged' }));
  const flipped = Buffer.from(body);
  flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
  const reserialised = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));

  it('gets one answer, whatever is wrong, and reaches no queue', async () => {
    const right = pipeline.sign(body);
    const attempts: readonly [Uint8Array, string | string[] | undefined][] = [
      [flipped, right],
      [body, right.toUpperCase()],
      [body, [right, right]],
      [body, undefined],
      [body, right.slice(1)],
      [body, `${right}0`],
      [body, pipeline.sign(reserialised)],
      [body, pipeline.sign(body, 'pri_somebody_else')],
      [new Uint8Array(0), right],
    ];
    const rows = await pipeline.countRows();
    for (const [bytes, signature] of attempts) {
      expect(await pipeline.post(bytes, { signature })).toMatchObject(refusal);
    }
    await pipeline.settled();
    expect(await pipeline.countRows()).toBe(rows);
    expect(await pipeline.get('/orders/forged')).toMatchObject({ status: 404 });
    expect(await pipeline.get('/events/evt-forged')).toMatchObject({ status: 404 });
  });
});

describe('a body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    undefined,
  ])('sent as %s is verified over the same bytes', async (contentType) => {
    const orderId = `sent as ${contentType}`;
    const body = bytesOf(paidEvent({ orderId }));
    expect(await pipeline.post(body, { contentType })).toMatchObject({ status: 202 });
    expect(await pipeline.order(orderId, () => true)).toMatchObject({ status: 'paid' });
  });

  it.each([
    ['U+FFFF and U+FFFE', '\uffff\ufffe'],
    ['emoji', '😀🏳️‍🌈'],
    ['escapes of U+0000', '\u0000\u0001'],
    ['escapes of quotes and slashes', '"\\/\u2028'],
    ['200 KB', 'x€'.repeat(50_000)],
  ])('holding %s is stored byte for byte', async (name, text) => {
    const event = { ...paidEvent({ orderId: name, eventId: `bytes of ${name}` }), extra: text };
    const body = Buffer.from(`\n ${JSON.stringify(event, null, '\t')}\r\n`);
    expect(await pipeline.post(body)).toMatchObject({ status: 202 });
    const view = await pipeline.event(`bytes of ${name}`);
    expect(view['body_sha256']).toBe(sha256(body));
    expect(sha256(Buffer.from(String(view['body_base64']), 'base64'))).toBe(sha256(body));
  });

  it('of 256 KiB is accepted and one byte more is answered 413', async () => {
    const event = JSON.stringify({ ...paidEvent({ orderId: 'large', eventId: 'evt-large' }), pad: '' });
    const pad = 'p'.repeat(262_144 - event.length);
    const body = Buffer.from(event.replace('"pad":""', `"pad":"${pad}"`));
    expect(body.length).toBe(262_144);
    expect(await pipeline.post(body)).toMatchObject({ status: 202 });
    expect((await pipeline.event('evt-large'))['body_sha256']).toBe(sha256(body));
    expect(await pipeline.post(Buffer.concat([body, Buffer.from(' ')]))).toMatchObject({ status: 413 });
  });

  it.each([
    ['not JSON', 'hello'],
    ['empty', ''],
    ['without an id', '{"event_name":"transaction.paid","sandbox":false}'],
    ['an array', '[1,2,3]'],
    ['nested deeper than a stack', '['.repeat(100_000)],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x7b])],
  ])('that is signed but %s is kept as unrecognised, and no batch is harmed', async (_, content) => {
    const body = Buffer.from(content);
    const [odd] = await Promise.all([
      pipeline.post(body, { contentType: 'application/octet-stream' }),
      ...Array.from({ length: 9 }, (_, n) => pipeline.post(bytesOf(paidEvent({ orderId: `beside-${n}` })))),
    ]);
    expect(odd).toMatchObject({ status: 202 });
    await pipeline.settled();
    expect(await pipeline.rowsOfEvents(`live:body:${sha256(body)}`)).toEqual(['unrecognised']);
    expect(await pipeline.deadLetters()).toBe(0);
  });

  it('of an empty shape that is an event all the same is recorded', async () => {
    await pipeline.post(
      Buffer.from('{"id":"bare","event_name":"account.updated","sandbox":false,"payload":[]}'),
    );
    expect(await pipeline.event('bare')).toMatchObject({ outcome: 'recorded', order_id: null });
  });
});

describe('live and sandbox', () => {
  it('never meet', async () => {
    const options = { orderId: 'both', amount: '5.00' };
    await pipeline.post(bytesOf(paidEvent(options)));
    await pipeline.post(bytesOf(refundedEvent({ ...options, sandbox: true })), { key: 'sandbox' });
    await pipeline.settled();
    expect(await pipeline.order('both')).toMatchObject({ mode: 'live', status: 'paid' });
    expect((await pipeline.get('/orders/both?mode=sandbox')).json).toMatchObject({
      mode: 'sandbox',
      status: 'refunded',
    });
  });

  it.each([
    ['the sandbox key saying sandbox: false', 'sandbox', false],
    ['the live key saying sandbox: true', 'live', true],
  ] as const)('a body signed with %s is quarantined and touches no order', async (name, key, sandbox) => {
    const id = `evt ${name}`;
    const body = bytesOf(paidEvent({ orderId: name, eventId: id, sandbox }));
    expect(await pipeline.post(body, { key })).toMatchObject({ status: 202 });
    await pipeline.settled();
    const path = `/events/${encodeURIComponent(id)}?mode=${key}`;
    expect((await pipeline.get(path)).json).toMatchObject({
      outcome: 'quarantined',
      reason: 'sandbox_flag_disagrees',
    });
    for (const mode of ['live', 'sandbox']) {
      expect(await pipeline.get(`/orders/${encodeURIComponent(name)}?mode=${mode}`)).toMatchObject({
        status: 404,
      });
    }
  });
});

describe('two bodies under one event id', () => {
  it('keep the first, and mark the order', async () => {
    const options = { orderId: 'contested', eventId: 'evt-contested', transactionId: 'T' };
    await pipeline.post(bytesOf(paidEvent(options)));
    await pipeline.settled();
    await pipeline.post(bytesOf(paidEvent({ ...options, amount: '1.00' })));
    await pipeline.settled();
    expect(await pipeline.order('contested')).toMatchObject({
      status: 'paid',
      attention: ['conflicting_event'],
      transactions: [{ amount: '100.00' }],
    });
    expect(await pipeline.event('evt-contested')).toMatchObject({
      outcome: 'applied',
      others: [{ outcome: 'conflict' }],
    });
  });
});

describe('one hot order', () => {
  it('holds every fact of 300 events that come at once', async () => {
    const bodies = Array.from({ length: 300 }, (_, n) =>
      bytesOf(unknownEvent({ orderId: 'hot', eventId: `hot-${n}`, transactionId: 'T' })),
    );
    const answers = await Promise.all(bodies.map((body) => pipeline.post(body)));
    expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
    await pipeline.settled();
    expect((await pipeline.order('hot'))['events']).toHaveLength(300);
    expect(await pipeline.deadLetters()).toBe(0);
  });
});
