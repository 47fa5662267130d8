import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventBus } from '../../../lambdas/aws/event-bus.ts';

const entry = {
  source: 'payhooks',
  detailType: 'OrderStatusChanged',
  detail: '{"id":"1"}',
  time: new Date(0),
};
const accepted: Scripted = { json: { FailedEntryCount: 0, Entries: [{ EventId: '1' }] } };

/** EventBridge on the wire: a server with these responses. */
async function startEventBridge(...responses: Scripted[]) {
  const { baseUrl, received } = await startService(...responses);
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', baseUrl);
  return { received };
}

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
describe('the event bus', () => {
  it('sends the bus name, source, type, detail and time of each entry', async () => {
    const { received } = await startEventBridge(accepted);
    expect(await createEventBus('payhooks-test').put([entry])).toEqual([undefined]);
    expect(received.map(({ headers }) => headers['x-amz-target'])).toEqual(['AWSEvents.PutEvents']);
    expect(JSON.parse(received[0]?.body ?? '')).toEqual({
      Entries: [
        {
          EventBusName: 'payhooks-test',
          Source: 'payhooks',
          DetailType: 'OrderStatusChanged',
          Detail: '{"id":"1"}',
          Time: 0,
        },
      ],
    });
  });

  const throttled = [{ EventId: '1' }, { ErrorCode: 'ThrottlingException', ErrorMessage: 'Slow down' }];
  it.each([
    [
      'the error code of one entry',
      { FailedEntryCount: 1, Entries: throttled },
      [undefined, 'ThrottlingException'],
    ],
    [
      'NoEventId for an entry without a result',
      { FailedEntryCount: 0, Entries: [{ EventId: '1' }] },
      [undefined, 'NoEventId'],
    ],
    ['NoEventId for every entry of an empty response', {}, ['NoEventId', 'NoEventId']],
  ])('returns %s', async (_, json, reasons) => {
    await startEventBridge({ json });
    expect(await createEventBus('bus').put([entry, entry])).toEqual(reasons);
  });

  it('throws an error of the whole request without a retry', async () => {
    const json = { __type: 'AccessDeniedException', message: 'no access' };
    const { received } = await startEventBridge({ status: 400, json });
    const put = createEventBus('bus').put([entry]);
    await expect(put).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(received).toHaveLength(1);
  });

  it('retries after a fault of EventBridge', async () => {
    const fault = { status: 500, json: { __type: 'InternalException' } };
    const { received } = await startEventBridge(fault, accepted);
    expect(await createEventBus('bus').put([entry])).toEqual([undefined]);
    expect(received).toHaveLength(2);
  });
});
