import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkJson, sentenceOf } from '../../src/json.ts';
import { type Misbehaviour, misbehavioursSchema } from '../../src/simulator/delivery/misbehaviour.ts';
import type { NotifierOptions } from '../../src/simulator/delivery/notifier.ts';
import { startService } from '../client/service.ts';
import { serve } from '../server.ts';
import { event, paidWebhook, type Receiver, runReceiver, runSimulator } from './running-simulator.ts';

/** A simulator with one webhook, whose receiver responds with 202. */
async function runMisbehaving(misbehaviours: readonly Misbehaviour[], options: NotifierOptions = {}) {
  const receiver = await runReceiver(202);
  const simulator = await runSimulator(options);
  simulator.registerWebhook(paidWebhook(receiver.url));
  simulator.misbehave(misbehaviours);
  return { simulator, receiver };
}

const ids = ({ received }: Receiver) => received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `e${index + 1}`);
const signatureOf = (body = '') => createHmac('sha256', 'pri_live').update(body).digest('hex');

describe('duplicate', () => {
  it('delivers a notification again, with the same bytes and signature', async () => {
    const { simulator, receiver } = await runMisbehaving([{ kind: 'duplicate', copies: 2 }]);
    const records = await simulator.emit(event('e1'));
    expect(new Set(records.map(({ delivery }) => delivery.id)).size).toBe(3);
    expect(ids(receiver)).toEqual(['e1', 'e1', 'e1']);
    expect(new Set(receiver.received.map(({ signature }) => signature)).size).toBe(1);
  });

  it('affects its share of the notifications, chosen by the seed', async () => {
    const run = async (seed: number) => {
      const { simulator, receiver } = await runMisbehaving([{ kind: 'duplicate', copies: 1, share: 0.5 }], {
        seed,
      });
      for (const id of numbered(40)) await simulator.emit(event(id));
      return ids(receiver).join();
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
      const { simulator, receiver } = await runMisbehaving([{ kind: 'reorder', size: 5 }], { seed: 7 });
      const emitted = numbered(4).map((id) => simulator.emit(event(id)));
      expect(simulator.deliveries()).toEqual([]);
      await Promise.all([...emitted, simulator.emit(event('e5'))]);
      return ids(receiver);
    };
    const order = await run();
    expect(order.toSorted()).toEqual(numbered(5));
    expect(order).not.toEqual(numbered(5));
    expect(await run()).toEqual(order);
  });

  it('never sends two in their order', async () => {
    for (let seed = 1; seed <= 4; seed += 1) {
      const { simulator, receiver } = await runMisbehaving([{ kind: 'reorder', size: 2 }], { seed });
      await Promise.all([simulator.emit(event('e1')), simulator.emit(event('e2'))]);
      expect(ids(receiver)).toEqual(['e2', 'e1']);
    }
  });

  it('ends with a flush, with other misbehaviours and with a stop', async () => {
    const { simulator, receiver } = await runMisbehaving([{ kind: 'reorder', size: 9 }]);
    const first = simulator.emit(event('e1'));
    simulator.flush();
    await first;
    const second = simulator.emit(event('e2'));
    simulator.misbehave([{ kind: 'burst', size: 9 }]);
    await second;
    const third = simulator.emit(event('e3'));
    await simulator.stop();
    expect(await third).toMatchObject([{ delivery: { state: 'stopped', attempts: [] } }]);
    expect(ids(receiver)).toEqual(['e1', 'e2']);
  });
});

describe('burst', () => {
  it('holds notifications back until its size is reached, then sends them in parallel', async () => {
    const sent = numbered(5);
    let waiting = 0;
    const all = Promise.withResolvers<void>();
    // Responds only when all have arrived: senders that take turns would never get a response.
    const { baseUrl } = await serve((request, response) => {
      waiting += 1;
      if (waiting === sent.length) all.resolve();
      request.resume();
      void all.promise.then(() => response.end());
    });
    const simulator = await runSimulator();
    simulator.registerWebhook(paidWebhook(baseUrl));
    simulator.misbehave([{ kind: 'burst', size: sent.length }]);
    const emitted = sent.slice(1).map((id) => simulator.emit(event(id)));
    expect(simulator.deliveries()).toEqual([]);
    const records = await Promise.all([...emitted, simulator.emit(event('e1'))]);
    expect(records.flat().map(({ delivery }) => delivery.state)).toEqual(Array(5).fill('delivered'));
  });
});

describe('delay', () => {
  it('sends a notification after a pause of up to the maximum', async () => {
    const { simulator, receiver } = await runMisbehaving([{ kind: 'delay', millisecondsMax: 50 }]);
    const emitted = simulator.emit(event('e1'));
    expect(simulator.deliveries()).toEqual([]);
    await emitted;
    expect(ids(receiver)).toEqual(['e1']);
  });

  it('sends nothing more when the simulator stops', async () => {
    const { simulator } = await runMisbehaving([{ kind: 'delay', millisecondsMax: 100_000 }]);
    const emitted = simulator.emit(event('e1'));
    await simulator.stop();
    expect(await emitted).toMatchObject([{ delivery: { state: 'stopped', attempts: [] } }]);
  });
});

describe('the misbehaviour', () => {
  it('wrong_key signs the right bytes with a key of another account, for the first attempts', async () => {
    const receiver = await runReceiver(403, 202);
    const simulator = await runSimulator();
    simulator.registerWebhook(paidWebhook(receiver.url));
    simulator.misbehave([{ kind: 'wrong_key', attempts: 1 }]);
    await simulator.emit(event('e1'));
    const [wrong, right] = receiver.received;
    expect(wrong?.body).toBe(right?.body);
    expect(wrong?.signature).toMatch(/^[0-9a-f]{64}$/);
    expect(wrong?.signature).not.toBe(signatureOf(wrong?.body));
    expect(right?.signature).toBe(signatureOf(right?.body));
  });

  it('reserialised_body sends the same JSON in other bytes under the first signature (6)', async () => {
    const { simulator, receiver } = await runMisbehaving([{ kind: 'reserialised_body' }]);
    await simulator.emit(event('e1'));
    const [received] = receiver.received;
    expect(JSON.parse(received?.body ?? '')).toEqual(event('e1'));
    expect(received?.body).not.toBe(JSON.stringify(event('e1')));
    expect(received?.signature).toBe(signatureOf(JSON.stringify(event('e1'))));
  });

  it('slow_reading pauses before every 16 bytes of the response, and reads it all', async () => {
    const text = 'a response of some forty bytes, no less';
    const { baseUrl } = await startService({ status: 202, text });
    const simulator = await runSimulator();
    simulator.registerWebhook(paidWebhook(baseUrl));
    simulator.misbehave([{ kind: 'slow_reading', milliseconds: 30 }]);
    const before = performance.now();
    expect(await simulator.emit(event('e1'))).toMatchObject([
      { delivery: { attempts: [{ result: { status: 202, body: text } }] } },
    ]);
    expect(performance.now() - before).toBeGreaterThan(85);
  });

  it('dropped_connection breaks off the request, and the retry arrives', async () => {
    const { simulator, receiver } = await runMisbehaving([
      { kind: 'dropped_connection', during: 'request', attempts: 1 },
    ]);
    const [record] = await simulator.emit(event('e1'));
    expect(record?.delivery.attempts).toMatchObject([
      { result: { error: 'the simulator dropped the connection' } },
      { result: { status: 202 } },
    ]);
    expect(ids(receiver)).toEqual(['e1']);
  });

  it('dropped_connection loses the response, and the receiver gets the notification twice', async () => {
    const { simulator, receiver } = await runMisbehaving([
      { kind: 'dropped_connection', during: 'response', attempts: 1 },
    ]);
    await simulator.emit(event('e1'));
    expect(ids(receiver)).toEqual(['e1', 'e1']);
  });

  it('duplicate ends with an empty list of misbehaviours', async () => {
    const { simulator, receiver } = await runMisbehaving([{ kind: 'duplicate', copies: 5 }]);
    simulator.misbehave([]);
    await simulator.emit(event('e1'));
    expect(ids(receiver)).toEqual(['e1']);
  });
});

describe('a list of misbehaviours', () => {
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
