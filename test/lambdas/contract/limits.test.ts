import { describe, expect, it } from 'vitest';
import { backOffSeconds } from '../../../lambdas/consumer/postpone-retries.ts';
import * as limits from '../../../lambdas/contract/limits.ts';
import * as operations from '../../../lambdas/contract/operations-limits.ts';
import { encodeBody } from '../../../lambdas/contract/queue-message.ts';
import { eventKey, eventRecord, orderKey } from '../../../lambdas/contract/schema.ts';
import { sealKeysMaxAgeSeconds, sealRotationDays } from '../../../lambdas/contract/seal.ts';
import { conflictFact, eventFact, resolvedFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { parsePaymentEvent, readingOf } from '../../../lambdas/domain/payment-event.ts';
import { cursorText } from '../../../lambdas/http-api/parameters.ts';
import { consumerRounds } from '../../doubles/consumer-rounds.ts';

/** The quotas of AWS, from its documentation of November 2026. */
const sqsMessageBytesMax = 1024 * 1024;
const dynamoDbItemBytesMax = 400 * 1024;
const dynamoDbPartitionKeyBytesMax = 2048;
const gatewayTimeoutSeconds = 30;
const lambdaResponseBytesMax = 6 * 1024 * 1024;
const gatewayHeaderBytesMax = 10_240;

/** The pauses of the SDK after transient faults: up to 50 ms, then twice as long each time. */
const sdkPauseMilliseconds = 50;
/** One call of AWS with all its attempts. */
const callSecondsMax = limits.callMillisecondsMax / 1000;
/** For the connections that a new instance opens, and for its slower code. */
const coldStartSeconds = 3;

describe('the limits', () => {
  it('end the reading of the keys at a start before the ten seconds that Lambda gives to it', () => {
    expect(coldStartSeconds + callSecondsMax).toBeLessThan(10);
  });

  it('try a message again for four hours, whether its attempts fail soon or end with a crash', () => {
    const pauses = Array.from({ length: limits.queueReceivesMax - 1 }, (_, n) => backOffSeconds(n + 1));
    const lastReceiveSeconds = pauses.reduce((sum, seconds) => sum + seconds, 0);
    expect(lastReceiveSeconds).toBeGreaterThanOrEqual(4 * 60 * 60);
    expect(lastReceiveSeconds).toBeLessThan(5 * 60 * 60);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(limits.queueVisibilitySeconds);
  });

  it('give a call the time of all its attempts and of the pauses between them', () => {
    const pauses = sdkPauseMilliseconds * (2 ** (limits.sdkAttemptsMax - 1) - 1);
    const attempts = limits.sdkAttemptsMax * limits.requestTimeoutMilliseconds;
    expect(attempts + pauses).toBeLessThanOrEqual(limits.callMillisecondsMax);
  });

  it('let the verifier respond before API Gateway times out', () => {
    // The secret, which a webhook reads at most once (`uncertain-keys.test.ts`), and the queue.
    expect(2 * callSecondsMax + coldStartSeconds).toBeLessThanOrEqual(limits.verifierTimeoutSeconds);
    expect(limits.verifierTimeoutSeconds).toBeLessThan(gatewayTimeoutSeconds);
  });

  it('let the order query respond before API Gateway times out', () => {
    // For a list: the index, the orders, their events, and those that the read before did not find. All but the
    // index pause before they repeat unprocessed keys.
    const pausesMilliseconds = (2 ** (limits.batchGetRoundsMax - 1) - 1) * limits.batchGetPauseMilliseconds;
    const listSeconds = 4 * callSecondsMax + (3 * pausesMilliseconds) / 1000 + coldStartSeconds;
    expect(listSeconds).toBeLessThanOrEqual(limits.orderQueryTimeoutSeconds);
    expect(limits.orderQueryTimeoutSeconds).toBeLessThan(gatewayTimeoutSeconds);
    // The order, and all pages of the index of what waits.
    const waitingSeconds = (1 + limits.waitingPagesMax) * callSecondsMax + coldStartSeconds;
    expect(waitingSeconds).toBeLessThanOrEqual(limits.orderQueryTimeoutSeconds);
  });

  it('let the consumer end every path, and postpone what failed, within its timeout', async () => {
    const rounds = await consumerRounds();
    // A merge pauses on its own between attempts, which together take as long as any other call.
    const mergePauses = limits.stampedWritePauseMilliseconds * (2 ** (limits.sdkAttemptsMax - 1) - 1);
    for (const [batch, count] of rounds) {
      const seconds = count * (callSecondsMax + mergePauses / 1000) + coldStartSeconds;
      expect(seconds, `${batch}: ${count} calls`).toBeLessThanOrEqual(limits.consumerTimeoutSeconds);
    }
    // The row, the other row, the order, the queue.
    expect(rounds.get('other payments under the same event ids')).toBeGreaterThanOrEqual(4);
  });

  it('let an audit renew its token and end before its timeout and before the next audit', () => {
    expect(limits.tokenRenewalSecondsMax + callSecondsMax).toBeLessThan(limits.webhookAuditSecondsMax);
    expect(limits.tokenRenewalPollMilliseconds).toBeLessThanOrEqual(1_000);
    expect(limits.webhookAuditSecondsMax + callSecondsMax).toBeLessThan(limits.webhookAuditTimeoutSeconds);
    expect(limits.webhookAuditTimeoutSeconds).toBeLessThan(limits.webhookAuditIntervalMinutes * 60);
  });

  it('let a count of what waits read all its pages and end before the next one', () => {
    expect(limits.waitingPagesMax * callSecondsMax).toBeLessThan(limits.waitingCountTimeoutSeconds);
    expect(limits.waitingCountTimeoutSeconds).toBeLessThan(limits.waitingCountIntervalMinutes * 60);
  });

  it('let a rotation exchange a token twice and store the new one within its timeout', () => {
    const readsSeconds = 4 * callSecondsMax;
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

  it('let the feed send a batch with all its retries within its timeout', () => {
    const pausesSeconds = (200 + 400 + limits.orderFeedFailurePauseMilliseconds) / 1000;
    expect(limits.putEventsRoundsMax * callSecondsMax + pausesSeconds).toBeLessThan(
      limits.orderFeedTimeoutSeconds,
    );
  });

  it('let one attempt of a write end within the bound on the time of a change', () => {
    expect(limits.requestTimeoutMilliseconds / 1000).toBeLessThan(limits.changesSettleSeconds);
  });

  it('rotate the key of seals after all queues have forgotten what it sealed, and its last reader too', () => {
    const keptDays = Math.max(limits.queueRetentionDays, limits.deadLetterRetentionDays);
    const staleSeconds = Math.max(sealKeysMaxAgeSeconds, limits.secretStaleSecondsMax);
    expect(sealRotationDays).toBeGreaterThan(keptDays + staleSeconds / 86_400);
  });

  it('fit the largest body and its attributes into an SQS message and a DynamoDB item', () => {
    const attributesBytesMax = 4 * limits.orderIdBytesMax + 2048;
    expect(encodeBody(new Uint8Array(limits.bodyBytesMax)).length).toBeLessThan(sqsMessageBytesMax - 1024);
    expect(limits.bodyBytesMax + attributesBytesMax).toBeLessThan(dynamoDbItemBytesMax);
  });

  it.each([
    ['plain text', 'x', 1],
    ['escaped control characters', '\u0001', 6],
    ['escaped quotes', '"', 2],
    ['characters outside the basic plane', '😀', 4],
  ])('bound the bytes of a fact whose fields are %s', (_, character, bytes) => {
    const longest = (bytesMax: number): string => character.repeat(Math.floor(bytesMax / bytes));
    const [id, field] = [longest(limits.transactionIdBytesMax), longest(limits.factFieldBytesMax)];
    const parsed = parsePaymentEvent(
      Buffer.from(
        JSON.stringify({
          id: longest(limits.eventIdBytesMax),
          event_name: longest(limits.eventNameBytesMax),
          payload: { transaction: { id, amount: field, currency: field, created_at: field } },
        }),
      ),
    );
    if (!parsed.ok) throw new Error(parsed.reason);
    const size = Buffer.byteLength(
      eventFact(
        parsed.event.id,
        readingOf(parsed.event, () => 'refunded'),
      ),
    );
    // Nothing was cut off, and a remainder that holds no whole character is left in six fields.
    expect(size).toBeGreaterThan(limits.factBytesMax - 6 * bytes);
    expect(size).toBeLessThanOrEqual(limits.factBytesMax);
    const others = [conflictFact(parsed.event.id, 'f'.repeat(64)), sharedFact(id)];
    expect(Math.max(...others.map((fact) => Buffer.byteLength(fact)))).toBeLessThan(limits.factBytesMax);
  });

  it('bound the bytes of a resolution by the longest identity and reason', () => {
    // A path of 512 characters and a name of 64 are the longest that IAM has.
    const arn = `arn:aws-us-gov:iam::123456789012:user/${'p'.repeat(511)}/${'n'.repeat(64)}`;
    expect(Buffer.byteLength(JSON.stringify(arn)) - 2).toBeLessThanOrEqual(operations.actorBytesMax);
    const resolution = resolvedFact({
      attention: 'multiple_paid_transactions',
      judgedSha256: 'f'.repeat(64),
      by: '"'.repeat(operations.actorBytesMax / 2),
      at: '2026-11-22T05:00:00.000Z',
      reason: '"'.repeat(operations.reasonBytesMax / 2),
    });
    expect(Buffer.byteLength(resolution)).toBeLessThan(limits.factBytesMax);
  });

  it('let an order hold 200 of the longest facts', () => {
    expect(200 * limits.factBytesMax + limits.orderIdBytesMax * 2 + 1024).toBeLessThan(dynamoDbItemBytesMax);
  });

  it.each([
    ['event', eventKey('sandbox', 'e'.repeat(limits.eventIdBytesMax))],
    ['order', orderKey('sandbox', 'o'.repeat(limits.orderIdBytesMax))],
  ])('fit the longest %s id into a partition key', (_, key) => {
    expect(Buffer.byteLength(key)).toBeLessThanOrEqual(dynamoDbPartitionKeyBytesMax);
  });

  it('take a cursor of the operations API after the longest key, also when JSON escapes every character', () => {
    const escaped = (bytesMax: number): string => '\u0001'.repeat(bytesMax);
    const at = '2026-11-22T05:00:00.000Z';
    const order = orderKey('sandbox', escaped(limits.orderIdBytesMax));
    // In JSON an event id is no longer than this.
    const after = [order, 'e'.repeat(limits.eventIdBytesMax)];
    const run = cursorText({
      of: 'verify orders',
      mode: 'sandbox',
      at,
      since: at,
      until: at,
      meaningsId: 'f'.repeat(16),
      after,
    });
    expect(run.length).toBeLessThanOrEqual(operations.actCursorCharactersMax);
    expect(run.length).toBeLessThan(operations.actRequestBytesMax - 6 * operations.reasonBytesMax);
    const key = eventKey('sandbox', escaped(limits.eventIdBytesMax));
    const place = { key, record: eventRecord.quarantine('f'.repeat(64)), recordedAt: at };
    const list = cursorText({ selection: 'f'.repeat(22), kind: 'order_refused', after: place });
    // With the other headers of a signed request; API Gateway takes 10,240 bytes in all.
    expect(list.length).toBeLessThan(gatewayHeaderBytesMax / 2);
  });

  it('let a page of the list of orders fit into a response of Lambda', () => {
    const { factBytesMax, factFieldBytesMax, transactionIdBytesMax, orderIdBytesMax } = limits;
    // An event is a fact, its two times and the status after it; at most each has a transaction of its own.
    const eventBytes = factBytesMax + 300;
    const transactionBytes = transactionIdBytesMax + 3 * factFieldBytesMax + 150;
    const orderBytes = 6 * orderIdBytesMax + 1_000;
    const pageBytes =
      limits.listEventsMax * (eventBytes + transactionBytes) + limits.listOrdersMax * orderBytes;
    expect(pageBytes).toBeLessThan(lambdaResponseBytesMax);
  });
});

/** A call whose first attempt fails and whose second takes its time. */
const slowCallSeconds = limits.requestTimeoutMilliseconds / 1000;
/** Calls that follow one another in the longest acts, the replay of two bodies and the erasure of an order. */
const actCalls = 7;
const timeout = operations.operationsTimeoutSeconds;

describe('the operations API', () => {
  it('ends before API Gateway times out, on every path', () => {
    expect(actCalls * slowCallSeconds + coldStartSeconds).toBeLessThanOrEqual(timeout);
    expect(timeout).toBeLessThan(gatewayTimeoutSeconds);
    // A page of a replay ends after a time, and then its last events have half a second for each call.
    const lastSeconds = 0.5 * actCalls + coldStartSeconds;
    expect(operations.replayMillisecondsMax / 1000 + lastSeconds).toBeLessThanOrEqual(timeout);
  });

  it('counts all pages of what waits within its timeout', () => {
    const seconds = limits.waitingPagesMax * callSecondsMax + coldStartSeconds;
    expect(seconds).toBeLessThanOrEqual(timeout);
  });

  it('compares a page of events twice within its timeout', () => {
    const { replayMillisecondsMax, verifyPauseMilliseconds, verifyAgainMillisecondsMax } = operations;
    const seconds = (replayMillisecondsMax + verifyPauseMilliseconds + verifyAgainMillisecondsMax) / 1000;
    expect(seconds + 2 * coldStartSeconds).toBeLessThanOrEqual(timeout);
  });

  it('fits the records of an event, and its bodies, into a response of Lambda', () => {
    // Every id once, and an operator's judgement and erasure; Lambda escapes the quotes of a body once more.
    const { eventIdBytesMax, eventNameBytesMax, orderIdBytesMax, transactionIdBytesMax } = limits;
    const ids = eventIdBytesMax + eventNameBytesMax + 2 * orderIdBytesMax + transactionIdBytesMax;
    const decisions = 2 * (operations.actorBytesMax + operations.reasonBytesMax);
    const records = limits.bodiesOfEventMax * (ids + decisions + 1024);
    expect(records).toBeLessThan(lambdaResponseBytesMax / 2);
    expect(operations.bodiesBytesMax + records).toBeLessThan(lambdaResponseBytesMax);
    expect(operations.bodiesBytesMax).toBeGreaterThanOrEqual(operations.bodiesMax * limits.bodyBytesMax);
  });

  it('fits a full order, before and after a replay, into a response of Lambda', () => {
    const fullOrderBytes = 2 * 400 * 1024;
    expect(operations.replayOrdersBytesMax).toBeGreaterThanOrEqual(fullOrderBytes);
    const lastBytes = operations.replayEventsAtOnce * fullOrderBytes;
    expect(operations.replayOrdersBytesMax + lastBytes).toBeLessThan(lambdaResponseBytesMax);
  });

  it('keeps the bodies that one request reads below half of its memory', () => {
    const bytes = limits.bodiesOfEventMax * limits.bodyBytesMax;
    expect(bytes).toBeLessThan((limits.orderQueryMemoryMegabytes * 1024 * 1024) / 2);
    expect(bytes).toBeLessThan((operations.operationsMemoryMegabytes * 1024 * 1024) / 2);
  });
});
