import { describe, expect, it } from 'vitest';
import * as limits from '../lambdas/contract/limits.ts';
import { encodeBody } from '../lambdas/contract/queue-message.ts';
import { eventKey, orderKey } from '../lambdas/contract/schema.ts';

/** The bounds of AWS, from its quota pages, November 2026. */
const sqsMessageBytesMax = 1024 * 1024;
const dynamoDbItemBytesMax = 400 * 1024;
const dynamoDbPartitionKeyBytesMax = 2048;
const gatewayTimeoutSeconds = 30;
const sqsVisibilitySecondsMax = 12 * 60 * 60;

const callSecondsMax =
  (limits.sdkAttemptsMax * (limits.connectTimeoutMilliseconds + limits.requestTimeoutMilliseconds)) / 1000;

describe('the bounds fit one another', () => {
  it('gives a message six function timeouts before it is seen again', () => {
    expect(limits.queueVisibilitySeconds).toBeGreaterThanOrEqual(6 * limits.consumerTimeoutSeconds);
    expect(limits.queueVisibilitySeconds).toBeLessThanOrEqual(sqsVisibilitySecondsMax);
  });

  it('outlives a DynamoDB outage of four hours without a dead letter', () => {
    const lastReceiveSeconds = limits.queueVisibilitySeconds * limits.queueReceivesMax;
    expect(lastReceiveSeconds).toBeGreaterThanOrEqual(4 * 60 * 60);
  });

  it('keeps a message in the queue for longer than its receives can last', () => {
    const lastReceiveSeconds = limits.queueVisibilitySeconds * limits.queueReceivesMax;
    expect(limits.queueRetentionDays * 86_400).toBeGreaterThan(lastReceiveSeconds);
    expect(limits.deadLetterRetentionDays).toBeGreaterThan(limits.queueRetentionDays);
  });

  it('answers before API Gateway stops waiting, with every attempt used up', () => {
    expect(callSecondsMax).toBeLessThan(limits.verifierTimeoutSeconds);
    expect(limits.verifierTimeoutSeconds).toBeLessThan(gatewayTimeoutSeconds);
    expect(limits.orderQueryTimeoutSeconds).toBeLessThan(gatewayTimeoutSeconds);
  });

  it('records and merges within the consumer timeout, with every attempt used up', () => {
    expect(2 * callSecondsMax).toBeLessThan(limits.consumerTimeoutSeconds);
  });

  it('ends an audit before its function is stopped, with a token renewed on the way, and before the next', () => {
    expect(limits.tokenRenewalSecondsMax + callSecondsMax).toBeLessThan(limits.webhookAuditSecondsMax);
    expect(limits.webhookAuditSecondsMax + callSecondsMax).toBeLessThan(limits.webhookAuditTimeoutSeconds);
    expect(limits.webhookAuditTimeoutSeconds).toBeLessThan(limits.webhookAuditIntervalMinutes * 60);
  });

  it('starts several audits within the hour of their alarms, and more than one before nobody answering rings', () => {
    expect(60 / limits.webhookAuditIntervalMinutes).toBeGreaterThanOrEqual(4);
    expect(limits.unreachableAuditsAlarm).toBeGreaterThan(1);
    expect(limits.unreachableAuditsAlarm * limits.webhookAuditIntervalMinutes).toBeLessThanOrEqual(30);
  });

  it('leaves a rotation the time to keep new tokens, with every attempt before used up', () => {
    const readsSeconds = 3 * callSecondsMax + callSecondsMax;
    const exchangeSeconds =
      (2 *
        (limits.tokenExchangeAttemptsMax * limits.tokenExchangeMillisecondsMax +
          (limits.tokenExchangeAttemptsMax - 1) * limits.tokenExchangeWaitMillisecondsMax)) /
      1000;
    const pausesSeconds =
      ((2 ** (limits.tokenKeepRoundsMax - 1) - 1) * limits.tokenKeepPauseMilliseconds) / 1000;
    const keepSeconds = limits.tokenKeepRoundsMax * callSecondsMax + pausesSeconds;
    expect(readsSeconds + exchangeSeconds + keepSeconds).toBeLessThan(limits.tokenRefreshTimeoutSeconds);
  });

  it('fits the largest body into an SQS message and a DynamoDB item, attributes included', () => {
    const attributesBytesMax = 4 * limits.orderIdBytesMax + 2048;
    expect(encodeBody(new Uint8Array(limits.bodyBytesMax)).length).toBeLessThan(sqsMessageBytesMax - 1024);
    expect(limits.bodyBytesMax + attributesBytesMax).toBeLessThan(dynamoDbItemBytesMax);
  });

  it('fits the largest ids into a partition key', () => {
    const longest = [
      eventKey('sandbox', 'e'.repeat(limits.eventIdBytesMax)),
      orderKey('sandbox', 'o'.repeat(limits.orderIdBytesMax)),
    ];
    for (const key of longest)
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(dynamoDbPartitionKeyBytesMax);
  });
});
