/** From which value on alarms fire; `limits.ts` derives what an alarm needs in its log. */

/** What audits could not do within an hour adds up to this; a single timeout raises no alarm. */
export const auditIncompleteAlarm = 6;
export const auditIncompleteWeights = {
  credential_refused: auditIncompleteAlarm,
  registration_unreadable: auditIncompleteAlarm / 2,
  service_unreachable: auditIncompleteAlarm / 2,
  history_unreadable: auditIncompleteAlarm / 3,
} as const;
/** The delay of the feed. */
export const orderFeedAgeAlarmSeconds = 15 * 60;
/** The age of the oldest event that is not recorded; a short fault of DynamoDB stays well below it. */
export const eventAgeAlarmSeconds = 15 * 60;
/** Retries in five minutes. One record that always fails has about five; more is a fault of the tables. */
export const retriesAlarm = 20;
/**
 * Signatures that match no key, in an hour, above one for `acceptedPerMismatch` accepted webhooks: two when
 * nothing else arrives, as a wrong key must show at low traffic too, and the sender repeats refused events.
 * Forgeries among many good events page no one.
 */
export const mismatchesAlarm = 1;
export const acceptedPerMismatch = 20;
/**
 * Events of an hour that begin to wait, twice, above all that were recorded, with the twelve heartbeats of an
 * hour: most events, and some twenty at least.
 */
export const waitingMajorityAlarm = 10;
/** The sender waits 15 seconds, and no call of AWS takes longer than four. */
export const webhookLatencyAlarmMilliseconds = 3_000;
/** SQS deletes a dead letter 14 days after its webhook. */
export const deadLetterAgeAlarmDays = 10;
/** Higher, because internet scanners post without a signature now and then. */
export const unreadableSignaturesPerHourAlarm = 20;
/** ACM renews earlier when it can, so at this point a person has to, with time left to do it. */
export const certificateExpiryAlarmDays = 30;
/** So long without a count of what waits that succeeded. */
export const waitingUncountedAlarmMinutes = 15;
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
