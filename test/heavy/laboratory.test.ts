import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { LaboratoryRun } from '../../console/contract/laboratory.ts';
import { texts, useLaboratory } from '../local/laboratory/laboratory-scene.ts';

const scene = useLaboratory();
/** Ten seconds when the machine has nothing else to do. */
const burstMilliseconds = 180_000;
const { countEvents, get, run, untilFiring } = scene;

describe('experiments with money', () => {
  it('paid: the order is paid, and the steps show what was sent, recorded and seen', async () => {
    const ended = await run('paid');
    expect(await get(`/orders/${ended.orderId}`)).toMatchObject({ status: 'paid', attention: [] });
    expect(ended.steps.map(({ kind }) => kind)).toEqual(['sent', 'recorded', 'seen']);
    expect(texts(ended, 'sent')).toEqual(['transaction.paid 49.90 USD → 202']);
    expect(texts(ended, 'recorded')[0]).toMatch(/^as applied, after \d+ ms$/);
    expect(ended.seen).toBe(`${ended.orderId} is paid after 1 event.`);
    const event = ended.steps.find(({ link }) => link?.page === 'event')?.link?.id;
    expect(await get(`/events/${event}`)).toMatchObject({ order_id: ended.orderId });
  });

  it.each([
    ['partial-refund', 'partially_refunded', 2],
    ['refund', 'refunded', 2],
    ['duplicate', 'paid', 1],
    ['refund-first', 'refunded', 2],
  ])('%s: the order is %s, and %i events count', async (name, status, events) => {
    const { orderId } = await run(name);
    expect(await get(`/orders/${orderId}`)).toMatchObject({ status, attention: [] });
    expect(await countEvents(orderId)).toBe(events);
  });

  it('duplicate: every delivery gets 2xx, and the consumer calls the later ones duplicates', async () => {
    const ended = await run('duplicate');
    expect(texts(ended, 'sent')).toEqual(Array(3).fill('transaction.paid 100.00 USD → 202'));
    const outcomes = texts(ended, 'recorded').map((text) => text.split(/[ ,]/)[1]);
    expect(outcomes).toEqual(['applied', 'duplicate', 'duplicate']);
  });

  it('double-charge: the order is paid and marked', async () => {
    const { orderId } = await run('double-charge');
    const attention = ['multiple_paid_transactions'];
    expect(await get(`/orders/${orderId}`)).toMatchObject({ status: 'paid', attention });
  });

  it('sandbox: the order exists in the sandbox only', async () => {
    const { steps } = await run('sandbox');
    const link = steps.find((step) => step.link?.page === 'order')?.link;
    expect(link?.mode).toBe('sandbox');
    expect(await get(`/orders/${link?.id}?mode=sandbox`)).toMatchObject({ status: 'paid' });
    expect(await get(`/orders/${link?.id}`)).toMatchObject({ http: 404 });
  });
});

describe('experiments with wrong input', () => {
  const eventOf = ({ steps }: LaboratoryRun): string =>
    steps.findLast(({ link }) => link?.page === 'event')?.link?.id ?? '';

  it('conflict: both bodies are kept, one waits, and its alarm fires', async () => {
    const ended = await run('conflict');
    expect(await get(`/orders/${ended.orderId}`)).toMatchObject({ attention: ['conflicting_event'] });
    const { records } = await get(`/operations/events/${eventOf(ended)}`);
    expect(records).toHaveLength(2);
    expect(await scene.pipeline.waiting('conflict')).toContain(`live:event:${eventOf(ended)}`);
    await untilFiring('EventConflicts');
  });

  it('refund-without-order: the refund waits, and its alarm fires', async () => {
    const ended = await run('refund-without-order');
    expect(await get(`/events/${eventOf(ended)}`)).toMatchObject({ outcome: 'unassigned', order_id: null });
    await untilFiring('EventsUnassigned');
  });

  it('forged: it gets 403 and leaves no row', async () => {
    const before = await scene.pipeline.countRows();
    const ended = await run('forged');
    expect(texts(ended, 'sent')).toEqual(['transaction.paid 100.00 USD → 403']);
    expect(ended.seen).toMatch(/^The response was 403\. There is no live order lab-forged-/);
    expect(await scene.pipeline.countRows()).toBe(before);
  });

  it('mislabelled: it is quarantined in the sandbox, and its alarm fires', async () => {
    const ended = await run('mislabelled');
    const event = { outcome: 'quarantined', reason: 'sandbox_flag_disagrees' };
    expect(await get(`/events/${eventOf(ended)}?mode=sandbox`)).toMatchObject(event);
    expect(await get(`/events/${eventOf(ended)}`)).toMatchObject({ http: 404 });
    await untilFiring('EventsQuarantined');
  });

  it('malformed: its bytes are stored, and its alarm fires', async () => {
    await run('malformed');
    const [key = ''] = await scene.pipeline.waiting('unrecognised');
    const hash = key.replace('live:body:', '');
    const { records } = await get(`/operations/bodies/${hash}`);
    const [{ body_base64 = '' } = {}] = records as { body_base64?: string }[];
    const body = Buffer.from(body_base64, 'base64');
    expect(body.toString()).toMatch(/: not JSON at all$/);
    expect(createHash('sha256').update(body).digest('hex')).toBe(hash);
    await untilFiring('EventsUnrecognised');
  });
});

describe('experiments with load', () => {
  it('burst: as many events are recorded as got 2xx, and every order is refunded', {
    timeout: burstMilliseconds,
  }, async () => {
    const ended = await run('burst');
    expect(ended.progress).toEqual({ total: 500, sent: 500, acknowledged: 500, recorded: 500 });
    const prefix = ended.orderId.replace(/1$/, '');
    for (const number of [1, 125, 250]) {
      expect(await get(`/orders/${prefix}${number}`)).toMatchObject({ status: 'refunded', attention: [] });
      expect(await countEvents(`${prefix}${number}`)).toBe(2);
    }
  });
});
