import { describe, expect, it } from 'vitest';
import { createKeyRing, sealKeys } from '../../../lambdas/verifier/key-ring.ts';
import { setUpConsumer } from '../../doubles/consumer.ts';
import { payment, sent } from '../../doubles/event-body.ts';
import { sha256 } from '../../doubles/event-rows.ts';
import { sealSecret } from '../../doubles/seal.ts';
import type { SentBody } from '../../doubles/sqs-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';
import { createSecret } from '../../doubles/verifier.ts';

const forged: SentBody = { ...payment, messageId: 'forged', seal: 'ab'.repeat(32) };

/** A consumer that reads a secret, which a test sets, at a clock in seconds. */
function setUp(text: string | Error = sealSecret) {
  const clock = { seconds: 0 };
  const { secret, read: readSecret } = createSecret(text);
  const ring = createKeyRing({
    ...{ readSecret, source: sealKeys, now: () => clock.seconds * 1_000, telemetry: recordTelemetry() },
  });
  const uses: unknown[] = [];
  const keyUses = { putKeyUse: async (use: unknown) => void uses.push(use) };
  const consumer = setUpConsumer({ parts: { sealKeys: ring, keyUses } });
  const place = `live:body:${sha256(payment.body)}\nunsealed`;
  return { ...consumer, clock, secret, uses, stored: () => consumer.tables.events.get(place) };
}

describe('a message without the seal of the verifier', () => {
  it.each([{ seal: '' }, { seal: 'ab'.repeat(32) }, { seal: 'x' }])(
    'waits under its hash, and counts nowhere, however often it comes: %j',
    async (seal) => {
      const { deliver, order, rowsOf, stored, tables, uses, telemetry } = setUp();
      await deliver({ ...payment, ...seal }, { ...payment, ...seal });
      expect(stored()).toMatchObject({ outcome: 'unsealed', waiting: 'unsealed', body: payment.body });
      expect([order('A'), rowsOf('p'), uses]).toEqual([undefined, [], []]);
      expect([tables.events.size, tables.transactions.size]).toEqual([1, 0]);
      const warned = telemetry.lines.filter(({ level }) => level === 'warn');
      expect(warned).toMatchObject([{ message: 'event handled', fields: { outcome: 'unsealed' } }]);
    },
  );

  it.each([
    ['before', [forged, payment]],
    ['after', [payment, forged]],
  ])('changes nothing for the genuine message of its bytes, which comes %s it', async (_, messages) => {
    const { deliver, order, states, stored } = setUp();
    await deliver(...messages);
    expect(order('A')).toMatchObject({ status: 'paid', events: ['p'], sequence: 1 });
    expect(states('p')).toEqual({ event: 'applied' });
    expect(stored()?.waiting).toBe('unsealed');
  });

  it('stores no name of an event and no heartbeat that an operator sees', async () => {
    const { deliver, tables } = setUp();
    await deliver({ ...sent({ id: 'n', action: 'new' }), seal: '' });
    await deliver({ ...payment, mode: 'heartbeat', seal: '' });
    expect(tables.names.size).toBe(0);
  });
});

describe('the keys of seals in a consumer', () => {
  it('are read once for a batch, and not again before an unsealed message within the cool-down', async () => {
    const { consume, secret } = setUp();
    expect(await consume(payment, forged, { ...forged, messageId: 'another' })).toEqual([]);
    expect(secret.reads).toBe(1);
  });

  it('are read again before a message is called unsealed', async () => {
    const { consumeBatch: _, deliver, clock, secret, order } = setUp('f0'.repeat(96));
    await deliver(forged);
    secret.text = sealSecret;
    clock.seconds = 11;
    await deliver(payment);
    expect(order('A')?.status).toBe('paid');
  });

  it.each([
    ['cannot be read', new Error('outage')],
    ['is malformed', 'f0'],
  ])('cannot judge a message while the secret %s, so it is tried again', async (__, fault) => {
    const { consume, clock, order, stored, secret, telemetry } = setUp(fault);
    expect(await consume(payment, forged)).toHaveLength(2);
    const fields = { message_id: 'forged', reason: 'seal_unknown' };
    expect(telemetry.lines).toContainEqual(expect.objectContaining({ level: 'error', fields }));
    expect([order('A'), stored()]).toEqual([undefined, undefined]);
    secret.text = sealSecret;
    clock.seconds = 6;
    expect(await consume(payment, forged)).toEqual([]);
    expect([order('A')?.status, stored()?.waiting]).toEqual(['paid', 'unsealed']);
  });

  it('still open what they sealed in an outage, and judge no other message in it', async () => {
    const { consume, clock, secret, order } = setUp();
    await consume(payment);
    secret.text = new Error('outage');
    clock.seconds = 2 * 60 * 60;
    expect(await consume(sent({ id: 'q', order: 'B', transaction: 'U' }), forged)).toEqual(['forged']);
    expect(order('B')?.status).toBe('paid');
  });
});
