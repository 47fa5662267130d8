import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkJson, sentenceOf } from '../../src/json.ts';
import { type Misbehaviour, misbehavioursSchema } from '../../src/simulator/delivery/misbehaviour.ts';
import type { NotifierOptions } from '../../src/simulator/delivery/notifier.ts';
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

/** Pauses that are recorded and end with `release`. */
function createPauses() {
  const waits: number[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  const pause = (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    first.resolve();
    return released;
  };
  return { waits, release, pause, first: first.promise };
}

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
  it('sends nothing before a pause of up to the maximum', async () => {
    const { pause, waits, first, release } = createPauses();
    const { simulator, receiver } = await runMisbehaving([{ kind: 'delay', millisecondsMax: 5_000 }], {
      pause,
    });
    const emitted = simulator.emit(event('e1'));
    await first;
    expect([receiver.received, simulator.deliveries()]).toEqual([[], []]);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThan(0);
    expect(waits[0]).toBeLessThanOrEqual(5_000);
    release();
    await emitted;
    expect(ids(receiver)).toEqual(['e1']);
  });

  it('ends without an attempt when the simulator stops', async () => {
    const { simulator } = await runMisbehaving([{ kind: 'delay', millisecondsMax: 100_000 }]);
    const emitted = simulator.emit(event('e1'));
    await simulator.stop();
    expect(await emitted).toMatchObject([{ delivery: { state: 'stopped', attempts: [] } }]);
  });
});

describe('wrong_key', () => {
  it('signs the right bytes with a key of another account, for the first attempts', async () => {
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
});

describe('reserialised_body', () => {
  it('sends the same JSON in other bytes under the signature of the first ones (6, rule 3)', async () => {
    const { simulator, receiver } = await runMisbehaving([{ kind: 'reserialised_body' }]);
    await simulator.emit(event('e1'));
    const [received] = receiver.received;
    expect(JSON.parse(received?.body ?? '')).toEqual(event('e1'));
    expect(received?.body).not.toBe(JSON.stringify(event('e1')));
    expect(received?.signature).toBe(signatureOf(JSON.stringify(event('e1'))));
  });
});

describe('slow_reading', () => {
  it('pauses before each small piece of the response, and reads it all', async () => {
    const { pause, waits, first, release } = createPauses();
    const { baseUrl } = await serve((request, response) => {
      request.resume();
      response.writeHead(202).end('a response of some forty bytes, no less');
    });
    const simulator = await runSimulator({ pause });
    simulator.registerWebhook(paidWebhook(baseUrl));
    simulator.misbehave([{ kind: 'slow_reading', milliseconds: 700 }]);
    const emitted = simulator.emit(event('e1'));
    await first;
    expect(simulator.deliveries()).toMatchObject([{ delivery: { state: 'pending', attempts: [] } }]);
    release();
    const body = 'a response of some forty bytes, no less';
    expect(await emitted).toMatchObject([{ delivery: { attempts: [{ result: { status: 202, body } }] } }]);
    expect(waits).toEqual([700, 700, 700]);
  });
});

describe('dropped_connection', () => {
  it('breaks off the request, and the retry arrives', async () => {
    const { simulator, receiver } = await runMisbehaving([
      { kind: 'dropped_connection', during: 'request', attempts: 1 },
    ]);
    const [record] = await simulator.emit(event('e1'));
    expect(record?.delivery.attempts).toMatchObject([
      { result: { error: 'the simulator dropped the connection' } },
      { result: { status: 202 } },
    ]);
    await receiver.broken;
    expect(ids(receiver)).toEqual(['e1']);
  });

  it('loses the response, so that the receiver gets the notification twice', async () => {
    const { simulator, receiver } = await runMisbehaving([
      { kind: 'dropped_connection', during: 'response', attempts: 1 },
    ]);
    await simulator.emit(event('e1'));
    expect(ids(receiver)).toEqual(['e1', 'e1']);
  });
});

describe('good behaviour', () => {
  it('is back with an empty list', async () => {
    const { simulator, receiver } = await runMisbehaving([{ kind: 'duplicate', copies: 5 }]);
    simulator.misbehave([]);
    await simulator.emit(event('e1'));
    expect(ids(receiver)).toEqual(['e1']);
  });
});

describe('a list of misbehaviours', () => {
  it('is accepted as it is', () => {
    const value = [
      { kind: 'duplicate', copies: 1, share: 0.1 },
      { kind: 'wrong_key', attempts: 2 },
    ];
    expect(checkJson(misbehavioursSchema, value)).toEqual({ ok: true, value });
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
