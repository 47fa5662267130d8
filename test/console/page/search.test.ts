import { describe, expect, it } from 'vitest';
import { ApiError, type Query } from '../../../console/page/data/api.ts';
import { search } from '../../../console/page/layout/search.ts';

const notFound = new ApiError(404, 'Nothing has this id.');

/** An API that has the given bodies by `mode path`, and nothing else. */
const api =
  (bodies: Readonly<Record<string, unknown>>) =>
  async (path: string, query: Query): Promise<unknown> => {
    const body = bodies[`${query['mode']} ${path}`] ?? notFound;
    if (body instanceof ApiError) throw body;
    return body;
  };

describe('the search', () => {
  it('finds an order of each mode with its status', async () => {
    const read = api({
      'live /orders/order-1': { status: 'paid' },
      'sandbox /orders/order-1': { status: 'refunded' },
    });
    const { hits } = await search('order-1', read);
    expect(hits.map(({ mode, status, href }) => [mode, status, href])).toEqual([
      ['live', 'paid', '/console/orders/order-1'],
      ['sandbox', 'refunded', '/console/orders/order-1?mode=sandbox'],
    ]);
  });

  it('finds an order that only waiting events name', async () => {
    const problem = new ApiError(404, 'No event counts.', { waiting: [{ event_id: 'event-1' }] });
    const { hits } = await search('order-1', api({ 'live /orders/order-1': problem }));
    expect(hits.map(({ words }) => words)).toEqual(['Order, named only by events that wait']);
  });

  it('looks events up in the order query when the operations API is not allowed', async () => {
    const read = api({
      'live /operations/events/id-1': new ApiError(403, 'Forbidden'),
      'live /events/id-1': { event_name: null },
    });
    const { hits, problems } = await search('id-1', read);
    expect(hits.map(({ words }) => words)).toEqual(['Event']);
    expect(problems).toEqual([]);
  });

  it('opens an order although the deployment keeps no transactions', async () => {
    const notKept = new ApiError(409, 'This deployment does not keep what this route reads.');
    const bodies = { 'live /transactions/id-1': notKept, 'sandbox /transactions/id-1': notKept };
    const { hits, problems } = await search(
      'id-1',
      api({ ...bodies, 'live /orders/id-1': { status: 'paid' } }),
    );
    expect([hits.length, problems]).toEqual([1, []]);
  });

  it('says once what could not be looked up', async () => {
    const denied = new ApiError(403, 'Your credentials lack the permission for this request.');
    const read = api({ 'live /transactions/id-1': denied, 'sandbox /transactions/id-1': denied });
    expect((await search('id-1', read)).problems).toEqual([
      'Transactions could not be looked up: Your credentials lack the permission for this request.',
    ]);
  });
});
