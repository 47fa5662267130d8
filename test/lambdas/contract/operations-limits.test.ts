import { describe, expect, it } from 'vitest';
import * as limits from '../../../lambdas/contract/limits.ts';
import * as operations from '../../../lambdas/contract/operations-limits.ts';
import { waitingKinds } from '../../../lambdas/contract/waiting-kinds.ts';

/** The quotas of AWS, from its documentation of November 2026. */
const gatewayTimeoutSeconds = 30;
const lambdaResponseBytesMax = 6 * 1024 * 1024;
/** For the connections that a new instance opens, and for its slower code. */
const coldStartSeconds = 3;
const callSecondsMax = limits.callMillisecondsMax / 1000;
/** A call whose first attempt fails and whose second takes its time. */
const slowCallSeconds = limits.requestTimeoutMilliseconds / 1000;
/** Calls that follow one another in the longest acts, the replay of two bodies and the erasure of an order. */
const actCalls = 7;
const timeout = operations.operationsTimeoutSeconds;

describe('the operations API', () => {
  it('ends before API Gateway times out, on every path', () => {
    // A list of what waits reads a page of each kind in turn; no other path reads as often.
    expect(waitingKinds.length * callSecondsMax + coldStartSeconds).toBeLessThanOrEqual(timeout);
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
    expect(bytes).toBeLessThan((limits.functionMemoryMegabytes * 1024 * 1024) / 2);
    expect(bytes).toBeLessThan((operations.operationsMemoryMegabytes * 1024 * 1024) / 2);
  });
});
