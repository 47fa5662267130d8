import { describe, expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { setUpOperator } from './doubles/operator.ts';

const sent = (fields: EventFields) => ({ body: eventBody(fields) });
const waiting = [sent({ id: 'p' }), sent({ id: 'r', action: 'refunded', amount: '1.00' })];

describe('a request for an act', () => {
  it.each([
    ['is no JSON', 'admit', '{'],
    ['is a list', 'admit', '[]'],
    ['is null', 'dismiss', 'null'],
    ['has an unknown field', 'admit', { event_id: 'p', order_id: 'A', force: true }],
    ['has the field of another act', 'dismiss', { event_id: 'p', order_id: 'A' }],
    ['has an event id that is a number', 'admit', { event_id: 1, order_id: 'A' }],
    ['has an event id that is an object', 'admit', { event_id: { $ne: null }, order_id: 'A' }],
    ['has an order id of 1,025 bytes', 'admit', { event_id: 'p', order_id: 'x'.repeat(1_025) }],
    ['has an empty order id', 'admit', { event_id: 'p', order_id: '' }],
    ['has a lone surrogate in its order id', 'admit', { event_id: 'p', order_id: '\ud800' }],
    ['has a lone surrogate in its event id', 'admit', { event_id: '\udfff', order_id: 'A' }],
    ['has a reason of 10 kB', 'admit', { event_id: 'p', order_id: 'A', reason: 'x'.repeat(10_240) }],
    ['has a reason of two lines', 'admit', { event_id: 'p', order_id: 'A', reason: 'paid\nin cash' }],
    ['has a terminal escape in its reason', 'admit', { event_id: 'p', order_id: 'A', reason: '\u001b[2J' }],
    ['has a reason that is a list', 'admit', { event_id: 'p', order_id: 'A', reason: ['r'] }],
    ['has an empty reason', 'admit', { event_id: 'p', order_id: 'A', reason: '' }],
    ['has a mode that does not exist', 'admit', { event_id: 'p', order_id: 'A', mode: 'test' }],
    ['has a dry run that is text', 'admit', { event_id: 'p', order_id: 'A', dry_run: 'true' }],
    ['has an upper-case hash', 'dismiss', { body_sha256: 'AB'.repeat(32) }],
    ['has a sequence that is no number', 'resolve', { order_id: 'A', sequence: '1' }],
    ['has a negative sequence', 'resolve', { order_id: 'A', sequence: -1 }],
    ['has attentions that are no list', 'resolve', { order_id: 'A', sequence: 1, attention: 'disputed' }],
    ['has the name of a prototype', 'admit', '{"event_id":"p","order_id":"A","__proto__":{"mode":"live"}}'],
  ] as const)('that %s gets 400, and nothing changes', async (_, name, fields) => {
    const { act, post, consume, rows, order } = await setUpOperator();
    await consume(...waiting);
    const { status } = typeof fields === 'string' ? await post(name, fields) : await act(name, fields);
    expect(status).toBe(400);
    expect([await rows('p'), await order('A')]).toEqual([{ event: ['unassigned', 'unassigned'] }, undefined]);
  });

  it('without a reason gets 400', async () => {
    const { post } = await setUpOperator();
    const { status, body } = await post('admit', '{"event_id":"p","order_id":"A"}');
    expect([status, body.parameter]).toEqual([400, 'reason']);
  });

  it('for the sandbox does not reach a live event', async () => {
    const { act, consume, rows } = await setUpOperator();
    await consume(...waiting);
    expect((await act('admit', { event_id: 'p', order_id: 'A', mode: 'sandbox' })).status).toBe(404);
    expect(await rows('p')).toEqual({ event: ['unassigned', 'unassigned'] });
  });

  it('is logged without its reason', async () => {
    const { act, consume, telemetry } = await setUpOperator();
    await consume(...waiting);
    await act('admit', { event_id: 'p', order_id: 'A', reason: 'Ms Jones called' });
    expect(telemetry.lines).toMatchObject([
      { level: 'notice', message: 'act of an operator', fields: { act: 'admit', changed: true } },
    ]);
    expect(JSON.stringify(telemetry.lines)).not.toContain('Jones');
  });
});
