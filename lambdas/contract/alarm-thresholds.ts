/** From which value on alarms fire; `limits.ts` derives what an alarm needs in its log. */

/** What audits could not do within an hour adds up to this; a single timeout raises no alarm. */
export const auditIncompleteAlarm = 6;
export const auditIncompleteWeights = {
  credential_refused: auditIncompleteAlarm,
  service_unreachable: auditIncompleteAlarm / 2,
  history_unreadable: auditIncompleteAlarm / 3,
} as const;
/** The delay of the feed. */
export const orderFeedAgeAlarmSeconds = 15 * 60;
/** The age of the oldest event that is not recorded; a short fault of DynamoDB stays well below it. */
export const eventAgeAlarmSeconds = 15 * 60;
/** Retries in five minutes. One record that always fails has about five; more is a fault of the tables. */
export const retriesAlarm = 20;
/** Low, because a wrong or missing key must show at low traffic too; the sender repeats refused events. */
export const mismatchesPerHourAlarm = 5;
/** Higher, because internet scanners post without a signature now and then. */
export const unreadableSignaturesPerHourAlarm = 20;
/** ACM renews earlier when it can, so at this point a person has to, with time left to do it. */
export const certificateExpiryAlarmDays = 30;
/** So long without a count of what waits that succeeded. */
export const waitingUncountedAlarmMinutes = 15;
/** More than two intervals, so that a single heartbeat that is lost raises no alarm. */
export const heartbeatMissingAlarmMinutes = 12;
/** Three heartbeats. */
export const logsSilentAlarmMinutes = 15;
/** Two checks of the safeguards, so that one during a deployment, or one that fails, raises no alarm. */
export const safeguardsOffAlarmHours = 12;
/** How often an instance of the verifier counts that webhooks are accepted, for the alarm on silence. */
export const acceptedCountSeconds = 60;
/** Seven days: no alarm of CloudWatch looks back further. */
export const silenceHoursMax = 7 * 24;
/** Of the 1,024 characters that CloudWatch takes for the description of an alarm. */
export const runbookUrlCharactersMax = 512;
