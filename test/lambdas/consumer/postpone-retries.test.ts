import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { backOffSeconds } from '../../../lambdas/consumer/postpone-retries.ts';
import type { Postpone } from '../../../lambdas/ports/postpone.ts';
import { setUpConsumer } from '../../doubles/consumer.ts';
import { payment } from '../../doubles/event-body.ts';
import { sqsRecord } from '../../doubles/sqs-event.ts';

const good = sqsRecord(payment);

/** A record that every attempt returns to the queue. The consumer runs at 10:00:01. */
function bad(messageId: string, receives: number, sentAt = '2026-11-21T10:00:00.000Z'): SQSRecord {
  const attributes = {
    ...good.attributes,
    ApproximateReceiveCount: String(receives),
    SentTimestamp: String(Date.parse(sentAt)),
  };
  return { ...good, messageId, receiptHandle: `handle of ${messageId}`, attributes, messageAttributes: {} };
}

function setUp(fault?: Error) {
  const calls: Parameters<Postpone>[0][] = [];
  const postpone: Postpone = async (messages) => {
    calls.push(messages);
    if (fault !== undefined) throw fault;
  };
  const { telemetry, consumeBatch } = setUpConsumer({ parts: { postpone } });
  return { telemetry, calls, consume: (...Records: SQSRecord[]) => consumeBatch({ Records }) };
}

it('the back-off of a record doubles with each receive, up to three minutes', () => {
  expect([1, 2, 6, 7, 90].map(backOffSeconds)).toEqual([5, 10, 160, 180, 180]);
});

describe('a batch with records that failed', () => {
  it('postpones them in one call, each by its own receives, and not the records that succeeded', async () => {
    const { consume, calls } = setUp();
    await consume(bad('first', 1), good, bad('eighth', 8));
    expect(calls).toEqual([
      [
        { receiptHandle: 'handle of first', seconds: 5 },
        { receiptHandle: 'handle of eighth', seconds: 180 },
      ],
    ]);
  });

  it('returns them to the queue when their postponement fails, and logs why', async () => {
    const { consume, telemetry } = setUp(new TypeError('refused'));
    expect(await consume(bad('m1', 1), good)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm1' }] });
    const fields = { records: 1, error_name: 'TypeError', error_message: 'refused' };
    const message = 'retries are not postponed; the visibility timeout of the queue applies';
    expect(telemetry.lines.at(-1)).toEqual({ level: 'warn', message, fields });
  });

  it('measures the age of those that were received before; a clock that lags behind SQS makes it 0', async () => {
    const { consume, telemetry } = setUp();
    const first = bad('first', 1, '2026-11-21T09:00:01.000Z');
    await consume(
      bad('old', 3, '2026-11-21T09:59:01.000Z'),
      first,
      bad('new', 2, '2026-11-21T10:00:02.000Z'),
    );
    expect(telemetry.measured).toEqual([
      { metric: 'RetriedRecordAge', value: 60, unit: 'Seconds' },
      { metric: 'RetriedRecordAge', value: 0, unit: 'Seconds' },
    ]);
  });

  it('writes that age before its work, so that a batch which crashes the function shows it as well', async () => {
    const { telemetry, consumeBatch } = setUpConsumer({ parts: { classify: () => expect.unreachable() } });
    await expect(
      consumeBatch({ Records: [{ ...good, attributes: bad('old', 2).attributes }] }),
    ).rejects.toThrow();
    expect(telemetry.measured).toMatchObject([{ metric: 'RetriedRecordAge' }]);
    expect(telemetry.flushes()).toBe(2);
  });
});
