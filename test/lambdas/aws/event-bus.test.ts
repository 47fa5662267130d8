import { describe, expect, it } from 'vitest';
import { createEventBus } from '../../../lambdas/aws/event-bus.ts';
import { startAws } from '../../doubles/started-function.ts';

const entry = {
  source: 'payhooks',
  detailType: 'OrderStatusChanged',
  detail: '{"id":"1"}',
  time: new Date(0),
};

describe('the event bus', () => {
  it('sends the bus name, source, type, detail and time of each entry', async () => {
    const { inputs } = await startAws({ json: { FailedEntryCount: 0, Entries: [{ EventId: '1' }] } });
    expect(await createEventBus('payhooks-test').put([entry])).toEqual([undefined]);
    const sent = { Source: 'payhooks', DetailType: 'OrderStatusChanged', Detail: '{"id":"1"}', Time: 0 };
    expect(inputs()).toEqual([{ Entries: [{ EventBusName: 'payhooks-test', ...sent }] }]);
  });

  const throttled = [{ EventId: '1' }, { ErrorCode: 'ThrottlingException', ErrorMessage: 'Slow down' }];
  it.each([
    ['the error code of one entry', { Entries: throttled }, [undefined, 'ThrottlingException']],
    ['NoEventId for an entry without a result', { Entries: [{ EventId: '1' }] }, [undefined, 'NoEventId']],
    ['NoEventId for every entry of an empty response', {}, ['NoEventId', 'NoEventId']],
  ])('returns %s', async (_, json, reasons) => {
    await startAws({ json });
    expect(await createEventBus('bus').put([entry, entry])).toEqual(reasons);
  });
});
