import { queueReceivesMax, queueVisibilitySeconds, webhookAuditIntervalMinutes } from './limits.ts';

/** Every bound of a reconciliation with the payment service's history, unit last. */

/**
 * How long an acknowledged event may take: after its last receive a message is a dead letter, also if every
 * attempt ends in a crash. An hour is added for the clock of the payment service.
 */
export const deliveryLagSeconds = queueVisibilitySeconds * queueReceivesMax + 3_600;
/** What one audit judges; two audits look at each delivery, so that one that fails misses none. */
export const reconcileWindowSeconds = 2 * webhookAuditIntervalMinutes * 60;
/** Pages of the history in one window: 1,000 attempts. Above that rate an audit sees a part of them. */
export const reconcilePagesMax = 20;
/** The most that the API document allows. */
export const historyPageAttempts = 50;
/**
 * The newest attempts are judged up to this age: the history names no time zone (A16). The zone furthest west
 * of UTC is at twelve hours.
 */
export const newestAgeSecondsMax = 13 * 3_600;
/**
 * When the newest attempts show that our URL is not reached: so many in a row, which include a failed retry
 * or go on for so long. A hiccup of the network is shorter.
 */
export const unreachedAttemptsMin = 3;
export const unreachedSeconds = 5 * 60;
/** Events that are looked up at a time. */
export const lookUpsAtATime = 10;
/** Events that a finding names; the command lists all of them. */
export const namedEventsMax = 3;
