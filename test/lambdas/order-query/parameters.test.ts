import { describe, expect, it } from 'vitest';
import { attentions } from '../../../lambdas/domain/attention.ts';
import { cursorOf, setUp } from '../../doubles/order-list.ts';

describe('GET /orders', () => {
  const limit = 'a whole number from 1 to 100';
  const time = 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z';
  const names = 'updated_since, updated_until, status, attention, sort_order, limit, cursor, mode';
  it.each([
    ['limit', '0', limit],
    ['status', 'Paid', 'one of pending, failed, paid, partially_refunded, refunded'],
    ['updated_until', 'tomorrow', time],
    ['updated_since', '2026-02-30T10:00:00Z', time],
    ['mode', 'test', 'live or sandbox'],
    ['cursor', 'nonsense', 'the unchanged next_cursor of an earlier response'],
    ['sort_order', 'newest', 'asc or desc'],
    ['attention', '', `one of any, ${attentions.join(', ')}`],
    ['updatedSince', 'x', `one of the parameters ${names}`],
  ])('responds 400 to %s=%s, with the given and the expected value', async (parameter, given, expected) => {
    const detail = `The parameter ${parameter} is "${given}"; expected ${expected}.`;
    expect(await setUp().get({ [parameter]: given })).toEqual({
      status: 400,
      type: 'application/problem+json',
      body: { type: 'about:blank', status: 400, title: 'Bad Request', detail, parameter },
    });
  });

  it.each([
    ['paid', 'status', 'failed', 'paid'],
    ['paid', 'mode', 'sandbox', 'live'],
    [undefined, 'status', 'paid', 'none'],
  ])('responds 400 when the cursor has the status %s, to %s=%s', async (status, name, given, held) => {
    const { get, list, commit } = setUp();
    for (const [at, id] of ['a', 'b'].entries()) await commit(id, at);
    const cursor = cursorOf(await list({ limit: '1', ...(status && { status }) }));
    expect((await get({ cursor, [name]: given })).body.detail).toBe(
      `The parameter ${name} is "${given}"; expected ${held}, the ${name} of the cursor.`,
    );
  });
});
