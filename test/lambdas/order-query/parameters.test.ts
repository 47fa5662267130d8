import { describe, expect, it } from 'vitest';
import { attentions } from '../../../lambdas/domain/attention.ts';
import { cursorOf, setUp } from '../../doubles/order-list.ts';

describe('GET /orders', () => {
  it.each([
    ['limit', '0', 'a whole number from 1 to 100'],
    ['limit', '-1', 'a whole number from 1 to 100'],
    ['limit', 'ten', 'a whole number from 1 to 100'],
    ['limit', '', 'a whole number from 1 to 100'],
    ['status', 'Paid', 'one of pending, failed, paid, partially_refunded, refunded'],
    ['updated_until', 'tomorrow', 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z'],
    ['updated_since', 'yesterday', 'a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z'],
    ['mode', 'test', 'live or sandbox'],
    ['cursor', 'nonsense', 'the unchanged next_cursor of an earlier response'],
    ['sort_order', 'newest', 'asc or desc'],
    ['attention', '', `one of any, ${attentions.join(', ')}`],
    [
      'updatedSince',
      'x',
      'one of the parameters updated_since, updated_until, status, attention, sort_order, limit, cursor, mode',
    ],
  ])('responds 400 to %s=%s, with the given and the expected value', async (parameter, given, expected) => {
    const detail = `The parameter ${parameter} is "${given}"; expected ${expected}.`;
    expect(await setUp().get({ [parameter]: given })).toEqual({
      status: 400,
      type: 'application/problem+json',
      body: { type: 'about:blank', status: 400, title: 'Bad Request', detail, parameter },
    });
  });

  it.each([
    ['without a zone', '2026-11-21T10:00:00'],
    ['on 30 February', '2026-02-30T10:00:00Z'],
    ['on 29 February of a year without one', '2026-02-29T10:00:00Z'],
    ['on 31 April', '2026-04-31T10:00:00Z'],
    ['in month 13', '2026-13-01T10:00:00Z'],
    ['at 24:00', '2026-11-21T24:00:00Z'],
    ['at second 60', '2026-11-21T10:00:60Z'],
    ['before the year 0', '0000-01-01T00:00:00+01:00'],
    ['after the year 9999', '9999-12-31T23:59:59-01:00'],
    ['with text after it', '2026-11-21T10:00:00Z\n'],
  ])('responds 400 to an updated_since %s', async (_, given) => {
    const { status, body } = await setUp().get({ updated_since: given });
    expect(status).toBe(400);
    expect(body.detail).toBe(
      `The parameter updated_since is ${JSON.stringify(given)}; ` +
        'expected a time in ISO 8601 with a zone, such as 2026-11-21T10:00:00Z.',
    );
  });

  it.each(['2024-02-29T10:00Z', '2026-11-21T10:00:00.123456789Z', '2026-11-21T23:59:59-23:59'])(
    'accepts the updated_since %s',
    async (updated_since) => {
      expect((await setUp().get({ updated_since })).status).toBe(200);
    },
  );

  it('responds 400 to a status or mode that is not the one of the cursor', async () => {
    const { get, list, commit } = setUp();
    await commit('a', 1);
    await commit('b', 2);
    const cursor = cursorOf(await list({ limit: '1', status: 'paid' }));
    expect((await get({ cursor, status: 'failed' })).body.detail).toBe(
      'The parameter status is "failed"; expected paid, the status of the cursor.',
    );
    expect((await get({ cursor, mode: 'sandbox' })).body.parameter).toBe('mode');
  });
});
