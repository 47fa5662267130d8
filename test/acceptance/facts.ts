import { createHash, createHmac } from 'node:crypto';
import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { withoutOrder } from './odd-events.ts';
import { operatorFacts } from './operator-facts.ts';
import { type AcceptanceTarget, privateKey, record, type StateFact } from './pipeline.ts';

/** The acceptance suite: the same facts of every pipeline, wherever it runs. */
export function proveAcceptance(target: () => AcceptanceTarget): void {
  const fact: StateFact = (name, prove) => it(name, () => prove(target()));
  describe('signed payments', () => paymentFacts(fact));
  describe('wrong signatures', () => signatureFacts(fact));
  describe('bodies', () => bodyFacts(fact));
  describe('live and sandbox', () => modeFacts(fact));
  describe('load', () => loadFacts(fact));
  describe('what waits', () => waitingFacts(fact));
  describe('what operators do', () => operatorFacts(fact));
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function paymentFacts(fact: StateFact): void {
  for (const nullable of ['filled', 'null'] as const) {
    fact(`a payment with nullable fields ${nullable} makes an order paid (2.3)`, async (pipeline) => {
      const orderId = `paid-${nullable}`;
      const ids = { orderId, transactionId: `txn-${nullable}`, eventId: `evt-${nullable}` };
      const response = await pipeline.post(bytesOf(paidEvent({ ...ids, nullable })));
      expect(response).toMatchObject({ status: 202, body: '{"status":"accepted"}' });
      expect(await pipeline.order(orderId, ({ status }) => status === 'paid')).toMatchObject({
        order_id: orderId,
        mode: 'live',
        status: 'paid',
        attention: [],
        transactions: [{ id: `txn-${nullable}`, status: 'paid', amount: '100.00', currency: 'USD' }],
        events: [{ id: `evt-${nullable}`, event_name: 'transaction.paid' }],
      });
    });
  }

  fact('payment and refund without an order id, posted at once with others, meet', async (pipeline) => {
    const options = Array.from({ length: 10 }, (_, n) => ({ orderId: `meets-${n}`, seed: `meets ${n}` }));
    const bodies = options.flatMap((one) => [withoutOrder(refundedEvent(one)), bytesOf(paidEvent(one))]);
    await Promise.all(bodies.map((body) => pipeline.post(body)));
    await pipeline.settled();
    for (const { orderId } of options) {
      expect(await pipeline.order(orderId)).toMatchObject({ status: 'refunded', attention: [] });
    }
  });

  fact('an order is found by an id of any characters', async (pipeline) => {
    // A slash is not among them: no two HTTP servers agree on it (docs/assumptions.md).
    const orderId = "ümläut 😀 o'neil #1 ?b=c&d+e";
    await pipeline.post(bytesOf(paidEvent({ orderId })));
    expect(await pipeline.order(orderId)).toMatchObject({ order_id: orderId, status: 'paid' });
  });
}

function signatureFacts(fact: StateFact): void {
  const body = bytesOf(paidEvent({ orderId: 'forged', eventId: 'evt-forged' }));
  const flipped = Buffer.from(body);
  flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
  const reserialised = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));

  fact('every wrong signature gets the same 403, and nothing is queued', async (pipeline) => {
    const right = pipeline.sign(body);
    const attempts: readonly [Uint8Array, string | string[] | undefined][] = [
      [flipped, right],
      [body, right.toUpperCase()],
      [body, [right, right]],
      [body, undefined],
      [body, right.slice(1)],
      [body, `${right}0`],
      [body, pipeline.sign(reserialised)],
      [body, pipeline.sign(body, 'pri_other_key')],
      [new Uint8Array(0), right],
    ];
    await pipeline.settled();
    const rows = await pipeline.countRows();
    for (const [bytes, signature] of attempts) {
      const response = await pipeline.post(bytes, { signature });
      expect(response).toMatchObject({ status: 403, body: '{"message":"Invalid signature"}' });
    }
    await pipeline.settled();
    expect(await pipeline.countRows()).toBe(rows);
    expect(await pipeline.get('/orders/forged')).toMatchObject({ status: 404 });
    expect(await pipeline.get('/events/evt-forged')).toMatchObject({ status: 404 });
  });
}

function bodyFacts(fact: StateFact): void {
  // API Gateway passes the first as text, and the others in base64.
  for (const contentType of ['text/plain', 'application/octet-stream', undefined]) {
    fact(`a body sent as ${contentType} is verified over the same bytes`, async (pipeline) => {
      const orderId = `sent as ${contentType}`.replace('/', ' ');
      const response = await pipeline.post(bytesOf(paidEvent({ orderId })), { contentType });
      expect(response).toMatchObject({ status: 202 });
      expect(await pipeline.order(orderId)).toMatchObject({ status: 'paid' });
    });
  }

  fact('a body is stored byte for byte, whatever text it has', async (pipeline) => {
    const extra = ['\uffff\ufffe', '😀🏳️‍🌈', '\u0000\u0001', '"\\/\u2028', 'x€'.repeat(50_000)];
    const event = { ...paidEvent({ orderId: 'texts', eventId: 'evt-texts' }), extra };
    const body = Buffer.from(`\n ${JSON.stringify(event, null, '\t')}\r\n`);
    expect(await pipeline.post(body)).toMatchObject({ status: 202 });
    const view = await pipeline.event('evt-texts');
    expect(view['body_sha256']).toBe(sha256(body));
    expect(sha256(Buffer.from(String(view['body_base64']), 'base64'))).toBe(sha256(body));
  });

  fact('a body of 256 KiB is accepted; one byte more gets a 413, or unsigned a 403', async (pipeline) => {
    const event = JSON.stringify({ ...paidEvent({ orderId: 'large', eventId: 'evt-large' }), pad: '' });
    const body = Buffer.from(event.replace('"pad":""', `"pad":"${'p'.repeat(262_144 - event.length)}"`));
    expect(body.length).toBe(262_144);
    expect(await pipeline.post(body)).toMatchObject({ status: 202 });
    expect((await pipeline.event('evt-large'))['body_sha256']).toBe(sha256(body));
    const larger = Buffer.concat([body, Buffer.from(' ')]);
    expect(await pipeline.post(larger)).toMatchObject({ status: 413 });
    expect(await pipeline.post(larger, { signature: undefined })).toMatchObject({ status: 403 });
  });

  fact(
    'signed bodies that are no events are kept as unrecognised, wait, and harm no batch',
    async (pipeline) => {
      const contents = ['hello', '', '['.repeat(100_000), Buffer.from([0xff, 0xfe, 0x7b])];
      const odd = contents.map((content) => Buffer.from(content as Buffer));
      const responses = await Promise.all([
        ...odd.map((body) => pipeline.post(body, { contentType: 'application/octet-stream' })),
        ...Array.from({ length: 9 }, (_, n) => pipeline.post(bytesOf(paidEvent({ orderId: `other-${n}` })))),
      ]);
      expect(responses.filter(({ status }) => status !== 202)).toEqual([]);
      await pipeline.settled();
      const waiting = await pipeline.waiting('unrecognised');
      for (const key of odd.map((body) => `live:body:${sha256(body)}`)) {
        expect(await pipeline.rowsOfEvents(key)).toEqual(['unrecognised']);
        expect(waiting).toContain(key);
      }
      expect(await pipeline.deadLetters()).toBe(0);
    },
  );
}

function modeFacts(fact: StateFact): void {
  fact('a live order and a sandbox order of the same id stay apart', async (pipeline) => {
    const options = { orderId: 'both', amount: '5.00' };
    await pipeline.post(bytesOf(paidEvent(options)));
    await pipeline.post(bytesOf(refundedEvent({ ...options, sandbox: true })), { key: 'sandbox' });
    await pipeline.settled();
    expect(await pipeline.order('both')).toMatchObject({ mode: 'live', status: 'paid' });
    const { json } = await pipeline.get('/orders/both?mode=sandbox');
    expect(json).toMatchObject({ mode: 'sandbox', status: 'refunded' });
  });
}

function loadFacts(fact: StateFact): void {
  fact('an order holds every fact of 120 events that come at once', async (pipeline) => {
    // More than the 100 rows that one read of DynamoDB returns.
    const bodies = Array.from({ length: 120 }, (_, n) =>
      bytesOf(
        unknownEvent({
          orderId: 'hot',
          eventId: `hot-${n}`,
          transactionId: 'T',
          eventName: 'transaction.updated',
        }),
      ),
    );
    const responses = await Promise.all(bodies.map((body) => pipeline.post(body)));
    expect(responses.filter(({ status }) => status !== 202)).toEqual([]);
    await pipeline.settled();
    expect((await pipeline.order('hot'))['events']).toHaveLength(120);
    expect(await pipeline.deadLetters()).toBe(0);
  });
}

/** Whatever was not applied is in the index of what waits; a normal event is not. */
function waitingFacts(fact: StateFact): void {
  fact('a refund whose transaction no payment named waits as unassigned', async (pipeline) => {
    await record(pipeline, withoutOrder(refundedEvent({ orderId: '', eventId: 'evt-lost' })));
    expect(await pipeline.event('evt-lost')).toMatchObject({ outcome: 'unassigned', order_id: null });
    expect(await pipeline.waiting('unassigned')).toContain('live:event:evt-lost');
  });

  fact(
    'an event that was applied does not wait, and its stored signature proves its body',
    async (pipeline) => {
      const body = bytesOf(paidEvent({ orderId: 'proof', eventId: 'evt-proof' }));
      await record(pipeline, body);
      const [row, ...others] = await pipeline.eventRows('live:event:evt-proof');
      expect([row?.['outcome'], row?.['waiting'], others]).toEqual([{ S: 'applied' }, undefined, []]);
      const expected = createHmac('sha256', privateKey).update(body).digest('hex');
      expect(Buffer.from(row?.['signature']?.B ?? []).toString('hex')).toBe(expected);
    },
  );
}
