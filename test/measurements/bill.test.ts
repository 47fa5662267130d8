import { describe, expect, it } from 'vitest';
import { billOf, emptyReceivesPerMonth, gigabyteSeconds, idleBill, sumOf } from './bill.ts';
import { accessLogLine, platformLines } from './log-bytes.ts';
import { dollars, fill, table } from './markdown.ts';
import { copiesAtPeak, readsOfCopies, storageBill } from './month.ts';
import { readInventory } from './stack-inventory.ts';
import { addUsages, messageBytes, timesUsage, type Usage } from './usage.ts';

const nothing = addUsages([]);
const durations = {
  milliseconds: { verifier: 15, consumer: 25, 'order-feed': 20 },
  memoryMegabytes: { verifier: 256, consumer: 512, 'order-feed': 256 },
};
const line = (usage: Partial<Usage>, name: string): number | undefined =>
  billOf({ ...nothing, ...usage }, durations).find((one) => one.name === name)?.dollars;

describe('the bill', () => {
  it('of nothing is nothing: no line has a fixed part', () => {
    expect(sumOf(billOf(nothing, durations))).toBe(0);
  });

  it('multiplies units by list prices from the first one on, without a free tier', () => {
    expect(line({ gatewayRequests: 1_000_000 }, 'API Gateway, requests')).toBeCloseTo(1, 10);
    expect(line({ invocations: { verifier: 1_000_000 } }, 'Lambda, invocations')).toBeCloseTo(0.2, 10);
    expect(line({ queueRequests: 3_000_000 }, 'SQS, requests')).toBeCloseTo(1.2, 10);
    expect(line({ eventWriteUnits: 1_000_000 }, 'DynamoDB, writes of events')).toBeCloseTo(0.625, 10);
    expect(line({ readUnits: 8 }, 'DynamoDB, reads')).toBeCloseTo(0.000_001, 12);
    expect(line({ functionLogBytes: 1024 ** 3 }, 'CloudWatch, lines of our functions')).toBeCloseTo(0.5, 10);
    expect(line({ secretReads: 10_000 }, 'Secrets Manager, calls')).toBeCloseTo(0.05, 10);
  });

  it('keeps the feed apart from what receives and records', () => {
    const bill = billOf(
      { ...nothing, busEvents: 1_000_000, invocations: { 'order-feed': 1_000_000 } },
      durations,
    );
    expect(sumOf(bill.filter(({ feed }) => feed !== true))).toBe(0);
    expect(sumOf(bill)).toBeCloseTo(1 + 0.2 + 0.023 * 0.25 * 13.3334, 6);
  });

  it('rounds a duration up to a millisecond, with a share of the cold starts', () => {
    expect(gigabyteSeconds({ invocations: { verifier: 1_000_000 } }, durations)).toBeCloseTo(18_000 / 4, 6);
    const halved = { ...durations, factor: 0.5 };
    expect(gigabyteSeconds({ invocations: { verifier: 1_000_000 } }, halved)).toBeCloseTo(11_000 / 4, 6);
  });

  it('refuses a function of which no duration is known', () => {
    expect(() => gigabyteSeconds({ invocations: { 'order-query': 1 } }, durations)).toThrow('order-query');
  });
});

describe('a usage', () => {
  it('is added and multiplied line by line and stage by stage', () => {
    const one = { ...nothing, readUnits: 1.5, invocations: { verifier: 1 } };
    const other = { ...nothing, readUnits: 1, invocations: { consumer: 2 } };
    const sum = addUsages([one, other]);
    expect(sum.readUnits).toBe(2.5);
    expect(timesUsage(sum, 10).invocations).toEqual({ verifier: 10, consumer: 20 });
  });

  it('counts a message with its attributes: name, type and value', () => {
    const attributes = { mode: { DataType: 'String', StringValue: 'live' } };
    expect(messageBytes({ MessageBody: 'abcd', MessageAttributes: attributes })).toBe(18);
  });
});

describe('an idle stack', () => {
  const alarm = (Properties: object) => ({ Type: 'AWS::CloudWatch::Alarm', Properties });
  const inventory = readInventory({
    Resources: {
      Plain: alarm({ MetricName: 'Errors' }),
      Sum: alarm({ Metrics: [{ MetricStat: {} }, { MetricStat: {} }, { Expression: 'a + b' }] }),
      Key: { Type: 'AWS::KMS::Key' },
      Secret: { Type: 'AWS::SecretsManager::Secret' },
      Queue: { Type: 'AWS::Lambda::EventSourceMapping', Properties: {} },
      Stream: { Type: 'AWS::Lambda::EventSourceMapping', Properties: { StartingPosition: 'TRIM_HORIZON' } },
    },
  });

  it('has its alarms billed by metric, and its stream not polled for money', () => {
    expect(inventory).toEqual({
      alarms: 2,
      alarmMetrics: 3,
      secrets: 1,
      encryptionKeys: 1,
      polledQueues: 1,
      tables: 0,
    });
  });

  it('pays for five pollers that find nothing every twenty seconds', () => {
    expect(emptyReceivesPerMonth(1)).toBe(657_000);
    expect(sumOf(idleBill(inventory, durations, undefined))).toBeCloseTo(0.3 + 1 + 0.4 + 0.2628, 10);
  });
});

describe('a month', () => {
  it('needs copies by arrivals times duration at its peak, and one at least', () => {
    expect(copiesAtPeak(10_000, 25)).toBe(1);
    expect(copiesAtPeak(100_000_000, 25)).toBe(5);
  });

  it('reads a secret as often as its copies forget it, and never more often than webhooks come', () => {
    expect(readsOfCopies(2, 1_000_000, 300)).toBe(17_520);
    expect(readsOfCopies(2, 10_000, 300)).toBe(10_000);
  });

  it('stores what can be recovered at two prices', () => {
    const items = 1024 ** 3 / 1_000;
    expect(storageBill({ what: '', bytes: 1_000, recovered: true }, items)).toBeCloseTo(0.45, 10);
    expect(storageBill({ what: '', bytes: 1_000, recovered: false }, items)).toBeCloseTo(0.25, 10);
  });
});

describe('the lines around an invocation', () => {
  it('are the three of Lambda, with a request id of 36 characters', () => {
    expect(platformLines(256)).toHaveLength(3);
    expect(platformLines(256).every((text) => /RequestId: [0-9a-f-]{36}\b/.test(text))).toBe(true);
  });

  it('fill the format of the access log, with a dash for what there is not', () => {
    const format =
      '{"route":"$context.routeKey","status":"$context.status","error":"$context.error.message"}';
    expect(accessLogLine(format, { routeKey: 'GET /orders', status: 200, responseLength: 2 })).toBe(
      '{"route":"GET /orders","status":"200","error":"-"}',
    );
  });
});

describe('a document', () => {
  const page =
    'a\n<!-- measured: one -->\nold\n<!-- /measured -->\nb\n<!-- measured: two -->\n<!-- /measured -->\nc\n';

  it('gets its tables into their places and keeps what stands between', () => {
    expect(fill(page, { one: '1', two: '2' })).toBe(
      'a\n<!-- measured: one -->\n1\n<!-- /measured -->\nb\n<!-- measured: two -->\n2\n<!-- /measured -->\nc\n',
    );
  });

  it('is refused where a table has no place or a place no table', () => {
    expect(() => fill(page, { one: '1' })).toThrow('places without a table: two');
    expect(() => fill(page, { one: '1', two: '2', three: '3' })).toThrow('Tables without a place: three');
  });

  it('writes dollars to the cent, and less than a cent with one digit that counts', () => {
    expect([0, 1.005, 1234.5, 0.0004].map(dollars)).toEqual(['$0.00', '$1.01', '$1,234.50', '$0.0004']);
    expect(table(['a', 'b'], [['x', '1']])).toBe('| a | b |\n|---|---:|\n| x | 1 |');
  });
});
