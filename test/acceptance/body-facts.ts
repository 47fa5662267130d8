import { createHash } from 'node:crypto';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect } from 'vitest';
import type { StateFact } from './facts.ts';

const refusal = { status: 403, body: '{"message":"Invalid signature"}' };
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function refusalFacts(fact: StateFact): void {
  const body = bytesOf(paidEvent({ orderId: 'forged', eventId: 'evt-forged' }));
  const flipped = Buffer.from(body);
  flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
  const reserialised = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));

  fact('gets one answer, whatever is wrong, and reaches no queue', async (pipeline) => {
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
}

export function bodyFacts(fact: StateFact): void {
  contentTypeFacts(fact);
  byteFacts(fact);
  sizeFacts(fact);
  unrecognisedFacts(fact);

  fact('of an empty shape that is an event all the same is recorded', async (pipeline) => {
    await pipeline.post(
      Buffer.from('{"id":"bare","event_name":"account.updated","sandbox":false,"payload":[]}'),
    );
    expect(await pipeline.event('bare')).toMatchObject({ outcome: 'recorded', order_id: null });
  });
}

function contentTypeFacts(fact: StateFact): void {
  const contentTypes = [
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    undefined,
  ];
  for (const [index, contentType] of contentTypes.entries()) {
    fact(`sent as ${contentType} is verified over the same bytes`, async (pipeline) => {
      const orderId = `sent as type ${index}`;
      const body = bytesOf(paidEvent({ orderId }));
      expect(await pipeline.post(body, { contentType })).toMatchObject({ status: 202 });
      expect(await pipeline.order(orderId, () => true)).toMatchObject({ status: 'paid' });
    });
  }
}

function byteFacts(fact: StateFact): void {
  const texts = [
    ['U+FFFF and U+FFFE', '\uffff\ufffe'],
    ['emoji', '😀🏳️‍🌈'],
    ['escapes of U+0000', '\u0000\u0001'],
    ['escapes of quotes and slashes', '"\\/\u2028'],
    ['200 KB', 'x€'.repeat(50_000)],
  ] as const;
  for (const [name, text] of texts) {
    fact(`holding ${name} is stored byte for byte`, async (pipeline) => {
      const event = { ...paidEvent({ orderId: name, eventId: `bytes of ${name}` }), extra: text };
      const body = Buffer.from(`\n ${JSON.stringify(event, null, '\t')}\r\n`);
      expect(await pipeline.post(body)).toMatchObject({ status: 202 });
      const view = await pipeline.event(`bytes of ${name}`);
      expect(view['body_sha256']).toBe(sha256(body));
      expect(sha256(Buffer.from(String(view['body_base64']), 'base64'))).toBe(sha256(body));
    });
  }
}

function sizeFacts(fact: StateFact): void {
  fact('of 256 KiB is accepted and one byte more is answered 413', async (pipeline) => {
    const event = JSON.stringify({ ...paidEvent({ orderId: 'large', eventId: 'evt-large' }), pad: '' });
    const pad = 'p'.repeat(262_144 - event.length);
    const body = Buffer.from(event.replace('"pad":""', `"pad":"${pad}"`));
    expect(body.length).toBe(262_144);
    expect(await pipeline.post(body)).toMatchObject({ status: 202 });
    expect((await pipeline.event('evt-large'))['body_sha256']).toBe(sha256(body));
    expect(await pipeline.post(Buffer.concat([body, Buffer.from(' ')]))).toMatchObject({ status: 413 });
  });
}

function unrecognisedFacts(fact: StateFact): void {
  const contents = [
    ['not JSON', 'hello'],
    ['empty', ''],
    ['without an id', '{"event_name":"transaction.paid","sandbox":false}'],
    ['an array', '[1,2,3]'],
    ['nested deeper than a stack', '['.repeat(100_000)],
    ['not UTF-8', Buffer.from([0xff, 0xfe, 0x7b])],
  ] as const;
  for (const [name, content] of contents) {
    fact(`that is signed but ${name} is kept as unrecognised, and no batch is harmed`, async (pipeline) => {
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
  }
}
