/** From which value on alarms fire; `limits.ts` derives what an alarm needs in its log. */

/** The delay of the feed. */
export const orderFeedAgeAlarmSeconds = 15 * 60;
/** The age of the oldest event that is not recorded; a short fault of DynamoDB stays well below it. */
export const eventAgeAlarmSeconds = 15 * 60;
/** Retries in five minutes. One record that always fails has about five; more is a fault of the tables. */
export const retriesAlarm = 20;
/**
 * Refusals of an hour by their weights, above one for `acceptedPerRefusal` accepted webhooks: two when
 * nothing else arrives, as a wrong key must show at low traffic too, and the sender repeats refused events.
 * Forgeries among many good events page no one.
 */
export const refusalsAlarm = 1;
export const acceptedPerRefusal = 20;
/**
 * Internet scanners post without a signature now and then: twenty such requests count as one. Only a holder
 * of the key can make a signature of an expired one, so one is enough, whatever is accepted in an hour.
 */
export const refusalWeights = {
  ...{ missing: 0.05, malformed: 1, mismatch: 1, too_large: 1, key_expired: 1_000_000 },
} as const;
/**
 * Events of an hour that begin to wait, twice, above all that were recorded, with the twelve heartbeats of an
 * hour: most events, and some twenty at least.
 */
export const waitingMajorityAlarm = 10;
/** The sender waits 15 seconds, and no call of AWS takes longer than four. */
export const webhookLatencyAlarmMilliseconds = 3_000;
/** SQS deletes a dead letter 14 days after its webhook. */
export const deadLetterAgeAlarmDays = 10;
/** ACM renews earlier when it can, so at this point a person has to, with time left to do it. */
export const certificateExpiryAlarmDays = 30;
/** Three counts of what waits: so long without one that succeeded, and until the last row is forgotten. */
export const waitingCountedMinutes = 10;
/** More than two intervals, so that a single heartbeat that is lost raises no alarm. */
export const heartbeatMissingAlarmMinutes = 12;
/** Two checks of the safeguards, so that one during a deployment, or one that fails, raises no alarm. */
export const safeguardsOffAlarmHours = 2;
/** How often an instance of the verifier counts that webhooks are accepted, for the alarm on silence. */
export const acceptedCountSeconds = 60;
/** Seven days: no alarm of CloudWatch looks back further. */
export const silenceHoursMax = 7 * 24;
/** Of the 1,024 characters that CloudWatch takes for the description of an alarm. */
export const runbookUrlCharactersMax = 512;
