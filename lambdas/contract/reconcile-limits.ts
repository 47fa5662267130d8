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
/** How long after its receipt an event must be in the history; AWS's clock and the service's may differ. */
export const historyLagSeconds = 30 * 60;
export const historyClockSeconds = 10 * 60;
/** The times of a history are within this of UTC, whatever its zone, with an hour for late attempts. */
export const historyZoneSecondsMax = 15 * 3_600;
/** Changed orders whose facts one audit reads: 0.4 a second. Above that rate it sees a part of them. */
export const comparedOrdersMax = 1_000;
export const comparedOrdersPage = 250;
/** Unknown events that the log lists. */
export const loggedEventsMax = 100;
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
