import { createServer } from 'node:http';
import type { BusEvent } from '@payhooks/cdk-local';
import { openEventLog } from '@payhooks/cdk-local/emulators';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FeedMessages } from '../../console/contract.ts';
import { createOrderMessages } from '../../local/feed/order-messages.ts';
import { createInspection } from '../../local/local-requests.ts';
import { AwsError, type Operation, startAwsQuery } from '../doubles/aws-query.ts';
import { startConsole } from '../doubles/console.ts';
import { type LogLine, runLogQuery } from '../doubles/log-query.ts';

const change = (order_id: string, sequence: number, fields: object = {}) => ({
  ...{ id: `change-${sequence}`, order_id, mode: 'live', sequence, transactions: [], caused_by: [] },
  ...{ previous: { status: 'pending', attention: [] }, current: { status: 'paid', attention: [] } },
  ...{ updated_at: `2026-11-22T09:00:0${sequence}.000Z`, ...fields },
});

const event = (detail: object, source = 'payhooks'): BusEvent => ({
  ...{ version: '0', id: crypto.randomUUID(), 'detail-type': 'OrderStatusChanged', source },
  ...{ account: '000000000000', time: '2026-11-22T09:00:00Z', region: 'us-east-1', resources: [], detail },
});

describe('the messages of an order in local mode', () => {
  const odd = 'a"\\ %\u202e😀\n{}';

  async function start(...published: BusEvent[]) {
    const log = openEventLog();
    log.append(published);
    const handle = createInspection({ '/feed/messages': createOrderMessages(log) });
    const local = createServer((request, response) => {
      if (!handle(request, response)) response.writeHead(404).end();
    });
    const localUrl = await listen(local, { host: '127.0.0.1', port: 0 });
    onTestFinished(async () => {
      await closeServer(local);
      log.close();
    });
    const { get } = await startConsole({
      stack: async () => ({ name: 'payhooks-local', region: 'us-east-1', outputs: {}, localUrl }),
    });
    return async (path: string) => (await (await get(`/console/api/orders/${path}`)).json()) as FeedMessages;
  }

  it('are those of the bus in its mode, whole and oldest first, whatever characters the id has', async () => {
    const messages = await start(
      event(change(odd, 1, { previous: null })),
      event(change('other', 2, { caused_by: [{ id: odd, event_name: null }] })),
      event(change(odd, 3)),
      event(change(odd, 4), 'payhooks.sandbox'),
    );
    expect(await messages(`${encodeURIComponent(odd)}/messages`)).toMatchObject({
      since: null,
      messages: [
        { id: 'change-1', at: '2026-11-22T09:00:01.000Z', is_published: true, previous_status: null },
        {
          id: 'change-3',
          sequence: 3,
          status: 'paid',
          body: { source: 'payhooks', detail: { order_id: odd } },
        },
      ],
    });
    const sandbox = await messages(`${encodeURIComponent(odd)}/messages?mode=sandbox`);
    expect(sandbox.messages).toMatchObject([{ id: 'change-4' }]);
    expect(await messages('o1/messages?mode=heartbeat')).toMatchObject({ status: 400 });
  });
});

describe('the messages of an order of a deployed stack', () => {
  const line = (second: number, fields: object): LogLine => ({
    timestamp: `2026-11-22 09:00:0${second}.000`,
    message: JSON.stringify({
      ...{ message: 'order change published', mode: 'live', order_id: 'o1', sequence: second },
      ...{ dedupe_id: `d${second}`, previous_status: 'pending', order_status: 'paid', error_code: '' },
      ...fields,
    }),
  });

  async function start(StartQuery: (query: string) => void, lines: readonly LogLine[] = []) {
    let found: readonly Readonly<Record<string, string>>[] = [];
    const operations: Readonly<Record<string, Operation>> = {
      StartQuery({ queryString = '', 'logGroupNames.member.1': group = '' }) {
        StartQuery(`${group}: ${queryString}`);
        found = runLogQuery(queryString, lines);
        return { queryId: 'q' };
      },
      GetQueryResults: () => ({
        status: 'Complete',
        results: found.map((row) => Object.entries(row).map(([field, value]) => ({ field, value }))),
      }),
    };
    vi.stubEnv('AWS_ENDPOINT_URL', await startAwsQuery(operations));
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    const outputs = { OrderFeedLogGroup: 'the-log-of-the-feed', LogLevel: 'warn' };
    const { get } = await startConsole({
      stack: async () => ({ name: 'payhooks-shop', region: 'eu-west-1', outputs }),
    });
    return async (path: string) => (await (await get(`/console/api/orders/${path}`)).json()) as FeedMessages;
  }

  it('are the lines of the log of the feed, with the attempts that failed, oldest first', async () => {
    const searched: string[] = [];
    const messages = await start(
      (query) => searched.push(query),
      [
        line(1, { previous_status: '' }),
        line(2, { message: 'order change not published', error_code: 'Throttling', order_status: '' }),
        line(3, { message: 'order change committed late' }),
        line(4, { order_id: 'o10' }),
        line(5, { mode: 'sandbox' }),
        line(6, { order_status: 'refunded' }),
      ],
    );
    const { since, messages: found, failures_only } = await messages('o1/messages');
    expect(failures_only).toBe(true);
    expect(found).toEqual([
      {
        ...{ id: 'd1', at: '2026-11-22T09:00:01.000Z', is_published: true, sequence: 1 },
        ...{ previous_status: null, status: 'paid', error_code: null, body: null },
      },
      {
        ...{ id: 'd2', at: '2026-11-22T09:00:02.000Z', is_published: false, sequence: 2 },
        ...{ previous_status: 'pending', status: null, error_code: 'Throttling', body: null },
      },
      {
        ...{ id: 'd6', at: '2026-11-22T09:00:06.000Z', is_published: true, sequence: 6 },
        ...{ previous_status: 'pending', status: 'refunded', error_code: null, body: null },
      },
    ]);
    expect(Date.now() - Date.parse(since ?? '')).toBeGreaterThanOrEqual(7 * 86_400_000);
    await messages('o1/messages');
    expect(searched).toEqual([expect.stringMatching(/^the-log-of-the-feed: fields/)]);
  });

  it('cannot be searched by an id that would change the search', async () => {
    const messages = await start(() => {}, [line(1, {})]);
    const found = await messages(`${encodeURIComponent('x"] | limit 1 | filter mode in ["live')}/messages`);
    expect(found.messages).toEqual([]);
  });

  it('name the permission that the operator lacks, and the next attempt searches again', async () => {
    let attempts = 0;
    const messages = await start(() => {
      attempts += 1;
      throw new AwsError('AccessDeniedException', 'not authorized to perform: logs:StartQuery');
    });
    const expected = {
      status: 403,
      detail: 'The AWS credentials lack a permission: not authorized to perform: logs:StartQuery',
    };
    expect(await messages('o1/messages')).toMatchObject(expected);
    expect(await messages('o1/messages')).toMatchObject(expected);
    expect(attempts).toBe(2);
  });
});
