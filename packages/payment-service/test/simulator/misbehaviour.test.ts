import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkJson, sentenceOf } from '../../src/json.ts';
import {
  type Misbehaviour,
  misbehaviourKinds,
  misbehavioursSchema,
} from '../../src/simulator/delivery/misbehaviour.ts';
import { noRetries } from '../../src/simulator/index.ts';
import { type Received, startService } from '../client/service.ts';
import { event, paidWebhook, runReceiver, runSimulator, runWithReceiver } from './running-simulator.ts';

async function runMisbehaving(misbehaviour: Misbehaviour, seed = 1, statuses = [202]) {
  const parts = await runWithReceiver(statuses, { seed });
  parts.misbehave([misbehaviour]);
  return parts;
}

const idsOf = (received: readonly Received[]) => received.map(({ body }) => JSON.parse(body).id);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `e${index + 1}`);
const signatureOf = (body = '', key = 'pri_live') => createHmac('sha256', key).update(body).digest('hex');

describe('duplicate', () => {
  it('delivers a notification again, with the same bytes and signature, until it is switched off', async () => {
    const { emit, received, misbehave } = await runMisbehaving({ kind: 'duplicate', copies: 2 });
    const records = await emit(event('e1'));
    expect(new Set(records.map(({ delivery }) => delivery.id)).size).toBe(3);
    expect(new Set(received.map(({ signature, body }) => signature + body)).size).toBe(1);
    misbehave([]);
    await emit(event('e2'));
    expect(idsOf(received)).toEqual(['e1', 'e1', 'e1', 'e2']);
  });

  it('affects its share of the notifications, chosen by the seed', async () => {
    const run = async (seed: number) => {
      const { emit, received } = await runMisbehaving({ kind: 'duplicate', copies: 1, share: 0.5 }, seed);
      for (const id of numbered(40)) await emit(event(id));
      return idsOf(received).join();
    };
    const [first, again, other] = [await run(1), await run(1), await run(2)];
    expect(first).toBe(again);
    expect(first).not.toBe(other);
    const copies = first.split(',').length - 40;
    expect(copies).toBeGreaterThan(8);
    expect(copies).toBeLessThan(32);
  });
});

describe('reorder', () => {
  it('holds notifications back and sends them in another order, the same for the same seed', async () => {
    const run = async () => {
      const { emit, received, deliveries } = await runMisbehaving({ kind: 'reorder', size: 5 }, 7);
      const emitted = numbered(4).map((id) => emit(event(id)));
      expect(deliveries()).toEqual([]);
      emitted.push(emit(event('e5')));
      expect(deliveries()).toHaveLength(1);
      await Promise.all(emitted);
      return idsOf(received);
    };
    const order = await run();
    expect(order.toSorted()).toEqual(numbered(5));
    expect(order).not.toEqual(numbered(5));
    expect(await run()).toEqual(order);
  });

  it.each([1, 2, 3, 4])('never sends two in their order (seed %i)', async (seed) => {
    const { emit, received } = await runMisbehaving({ kind: 'reorder', size: 2 }, seed);
    await Promise.all([emit(event('e1')), emit(event('e2'))]);
    expect(idsOf(received)).toEqual(['e2', 'e1']);
  });

  it('ends with a flush, with other misbehaviours and with a stop', async () => {
    const { simulator, emit, received, deliveries } = await runMisbehaving({ kind: 'reorder', size: 9 });
    const first = emit(event('e1'));
    simulator.flush();
    expect(deliveries()).toHaveLength(1);
    await first;
    const second = emit(event('e2'));
    simulator.misbehave([{ kind: 'burst', size: 9 }]);
    expect(deliveries()).toHaveLength(2);
    await second;
    const third = emit(event('e3'));
    await simulator.stop();
    expect(await third).toMatchObject([{ delivery: { state: 'stopped', attempts: [] } }]);
    expect(idsOf(received)).toEqual(['e1', 'e2']);
  });
});

it('burst holds notifications back until its size is reached, then sends them in parallel', async () => {
  const { emit, deliveries } = await runMisbehaving({ kind: 'burst', size: 5 });
  const emitted = numbered(4).map((id) => emit(event(id)));
  expect(deliveries()).toEqual([]);
  emitted.push(emit(event('e5')));
  expect(deliveries()).toHaveLength(5);
  const records = await Promise.all(emitted);
  expect(records.flat().map(({ delivery }) => delivery.state)).toEqual(Array(5).fill('delivered'));
});

it('delay sends a notification after a pause of up to the maximum', async () => {
  const { emit, received, deliveries } = await runMisbehaving({ kind: 'delay', millisecondsMax: 50 });
  const emitted = emit(event('e1'));
  expect(deliveries()).toEqual([]);
  await emitted;
  expect(idsOf(received)).toEqual(['e1']);
});

it('wrong_key signs the right bytes with a key of another account, for the first attempts', async () => {
  const { emit, received } = await runMisbehaving({ kind: 'wrong_key', attempts: 1 }, 1, [403, 202]);
  await emit(event('e1'));
  const [wrong, right] = received;
  expect(wrong?.body).toBe(right?.body);
  expect(wrong?.signature).toMatch(/^[0-9a-f]{64}$/);
  expect(wrong?.signature).not.toBe(signatureOf(wrong?.body));
  expect(wrong?.signature).not.toBe(signatureOf(wrong?.body, ''));
  expect(right?.signature).toBe(signatureOf(right?.body));
});

it('reserialised_body sends the same JSON in other bytes under the first signature (6)', async () => {
  const { emit, received } = await runMisbehaving({ kind: 'reserialised_body' });
  await emit(event('e1'));
  const [{ body = '', signature } = {}] = received;
  expect(JSON.parse(body)).toEqual(event('e1'));
  expect(body).not.toBe(JSON.stringify(event('e1')));
  expect(signature).toBe(signatureOf(JSON.stringify(event('e1'))));
});

it('slow_reading pauses before every 16 bytes of the response, and reads it all', async () => {
  const text = 'a response of some forty bytes, no less';
  const { baseUrl } = await startService({ status: 202, text });
  const { registerWebhook, misbehave, emit } = await runSimulator();
  registerWebhook(paidWebhook(baseUrl));
  misbehave([{ kind: 'slow_reading', milliseconds: 30 }]);
  const before = performance.now();
  const attempts = [{ result: { status: 202, body: text } }];
  expect(await emit(event('e1'))).toMatchObject([{ delivery: { attempts } }]);
  expect(performance.now() - before).toBeGreaterThan(85);
});

it.each([
  ['request', 'breaks off the request, and the retry arrives', ['e1']],
  ['response', 'loses the response, and the receiver gets the notification twice', ['e1', 'e1']],
] as const)('dropped_connection during the %s %s', async (during, _, ids) => {
  const fault = { kind: 'dropped_connection', during, attempts: 1 } as const;
  const { emit, received } = await runMisbehaving(fault);
  const [record] = await emit(event('e1'));
  expect(record?.delivery.attempts).toMatchObject([
    { result: { error: 'the simulator dropped the connection' } },
    { result: { status: 202 } },
  ]);
  expect(idsOf(received)).toEqual(ids);
  const same = received.map(({ method, signature, headers }) => [method, signature, headers['content-type']]);
  expect(same).toEqual(ids.map(() => ['POST', signatureOf(received[0]?.body), 'application/json']));
});

describe('without a response there is no connection to drop', () => {
  async function errorOf(url: string, schedule = noRetries) {
    const { registerWebhook, misbehave, emit } = await runSimulator({ schedule });
    registerWebhook(paidWebhook(url));
    misbehave([{ kind: 'dropped_connection', during: 'response' }]);
    return (await emit(event('e1')))[0]?.delivery.attempts[0]?.result;
  }

  it('from an endpoint that cannot be reached', async () => {
    const { url, stop } = await runReceiver();
    await stop();
    expect(await errorOf(url)).toEqual({ error: expect.stringContaining('ECONNREFUSED') });
  });

  it('from an https URL where http is spoken', async () => {
    const { url } = await runReceiver();
    const error = expect.stringContaining('wrong version number');
    expect(await errorOf(url.replace('http:', 'https:'))).toEqual({ error });
  });

  it('from an endpoint that does not respond in time', async () => {
    const { baseUrl } = await startService({ fault: 'hang' });
    const schedule = { ...noRetries, attemptTimeoutMilliseconds: 20 };
    expect(await errorOf(baseUrl, schedule)).toEqual({ error: 'timeout' });
  });
});

describe('a list of misbehaviours', () => {
  const every = [
    { kind: 'duplicate', share: 0, copies: 1 },
    { kind: 'reorder', share: 1, size: 2 },
    { kind: 'burst', size: 100_000 },
    { kind: 'delay', millisecondsMax: 1 },
    { kind: 'wrong_key', attempts: 1 },
    { kind: 'reserialised_body', attempts: 100_000 },
    { kind: 'slow_reading', attempts: 1, milliseconds: 1 },
    { kind: 'dropped_connection', during: 'request' },
    { kind: 'dropped_connection', during: 'response' },
  ];

  it('may have every kind', () => {
    expect(checkJson(misbehavioursSchema, every)).toEqual({ ok: true, value: every });
    expect(misbehaviourKinds).toEqual([...new Set(every.map(({ kind }) => kind))]);
  });

  const count = 'a whole number from 1 to 100000';
  it.each([
    [{}, '$ is an object; expected an array'],
    [[{ kind: 'toString' }], '$[0].kind is a string; expected ("duplicate" | "reorder" | "burst"'],
    [[{}], '$[0].kind is missing; expected ("duplicate" | "reorder" | "burst"'],
    [[{ kind: 'duplicate' }], '$[0].copies is missing; expected a value'],
    [[{ kind: 'duplicate', copies: 1e6 }], `$[0].copies is a number; expected ${count}`],
    [[{ kind: 'burst', size: 2, share: 2 }], '$[0].share is a number; expected a number from 0 to 1'],
    [[{ kind: 'burst', size: 2, attempts: 2 }], '$[0].attempts is a number; expected no such field'],
    [[{ kind: 'wrong_key', attempts: 0 }], `$[0].attempts is a number; expected ${count}`],
    [[{ kind: 'dropped_connection' }], '$[0].during is missing; expected a value'],
  ])('is refused with a sentence (%#)', (given, sentence) => {
    const checked = checkJson(misbehavioursSchema, given);
    expect(checked.ok ? 'accepted' : sentenceOf(checked.mismatch)).toContain(sentence);
  });
});
