import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keptReleases, type StoredItem } from './kept-release.ts';
import { openRows, publishedOf } from './order-query-over-rows.ts';
import { sentEvents } from './sent-events.ts';

const releases = keptReleases();

it('keeps the release that everybody may still come from', () => {
  expect(releases.map(({ version }) => version)).toContain('0.1.0');
});

describe.each(releases)('over the rows of $version', (release) => {
  const open = async () => {
    const rows = await openRows(release);
    onTestFinished(() => rows.close());
    return rows;
  };

  it('the order query answers every question as that release did; fields may have been added', async () => {
    const { get } = await open();
    expect(release.answers.answers.length).toBeGreaterThan(30);
    for (const { path, status, body } of release.answers.answers) {
      // A cursor is opaque. That the old ones are taken is shown by the pages that were asked with them.
      const { next_cursor, ...told } = body;
      const cursor = 'next_cursor' in body && { next_cursor: next_cursor && expect.any(String) };
      expect({ path, ...(await get(path)) }).toMatchObject({ path, status, body: { ...told, ...cursor } });
    }
  });

  it('the rows hold every kind of record, deflated and plain', () => {
    const values = (name: string) => new Set(release.rows.events.map((item) => item[name]?.S));
    expect(values('outcome')).toEqual(
      new Set(['applied', 'conflict', 'quarantined', 'recorded', 'unrecognised']),
    );
    expect(values('body_encoding')).toEqual(new Set(['deflate', 'identity']));
    expect(values('mode')).toEqual(new Set(['live', 'sandbox']));
  });

  it('what was sent then changes nothing when it is delivered once more', async () => {
    const { consume, countRows, row, get } = await open();
    const before = await countRows();
    const live = sentEvents.filter(({ key = 'live' }) => key === 'live');
    expect(await consume(...live.map(({ body }) => ({ body })))).toEqual({ batchItemFailures: [] });
    expect(await countRows()).toBe(before);
    for (const stored of release.rows.orders) {
      expect(sorted(await row(String(stored['order_key']?.S)))).toEqual(sorted(stored));
    }
    const contested = release.answers.answers.find(({ path }) => path === '/orders/contested');
    expect((await get('/orders/contested')).body).toMatchObject({ ...contested?.body });
  });

  it('a refund is merged into an order of then, and the feed tells of that alone', async () => {
    const { consume, row, get } = await open();
    const before = release.rows.orders.find((item) => item['order_key']?.S === 'live:order:paid');
    if (before === undefined) throw new Error('The release kept no paid order.');
    const refund = { orderId: 'paid', seed: 'paid', eventId: 'evt-refund' };
    await consume({ body: bytesOf(refundedEvent(refund)) });
    expect((await get('/orders/paid')).body).toMatchObject({
      status: 'refunded',
      attention: [],
      sequence: 2,
    });
    const after = await row('live:order:paid');
    const published = await publishedOf(before, after ?? {});
    expect(published.map(({ detail }) => JSON.parse(detail))).toMatchObject([
      { order_id: 'paid', sequence: 2, previous: { status: 'paid' }, current: { status: 'refunded' } },
    ]);
  });

  it('another body under an event id of then is a conflict', async () => {
    const { consume, get } = await open();
    await consume({ body: bytesOf(paidEvent({ orderId: 'paid', seed: 'other', eventId: 'evt-paid' })) });
    expect((await get('/events/evt-paid')).body).toMatchObject({
      outcome: 'applied',
      others: [{ outcome: 'conflict' }],
    });
    expect((await get('/orders/paid')).body).toMatchObject({
      status: 'paid',
      attention: ['conflicting_event'],
    });
  });

  it('the feed publishes nothing for an order that is written again as it was', async () => {
    for (const stored of release.rows.orders) expect(await publishedOf(stored, stored)).toEqual([]);
  });
});

/** A set of texts has no order. */
function sorted(item: StoredItem | undefined) {
  const facts = item?.['facts']?.SS;
  return { ...item, facts: facts?.toSorted() };
}
