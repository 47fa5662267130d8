/** Every bound of the command line, unit last. */

/** How long local mode may take to say that it runs; on loopback it takes milliseconds. */
export const localProbeMilliseconds = 2_000;

/** An operator is further away from AWS than a function in it, and waits longer before giving up. */
export const awsConnectMilliseconds = 5_000;
export const awsRequestMilliseconds = 15_000;
export const awsAttemptsMax = 3;

/** The longest that an endpoint may take to answer what `send` posts. */
export const sendMilliseconds = 15_000;
export const sendRepeatsMax = 1_000;
/** How long `send --follow` waits for the order to hold the event, and how often it looks. */
export const followMilliseconds = 30_000;
export const followPollMilliseconds = 200;

/** A key or token is short; a file handed over by mistake is not read to its end. */
export const secretInputBytesMax = 8 * 1024;
/** What `send` reads; the payment service's largest notification is not known. */
export const bodyInputBytesMax = 8 * 1024 * 1024;

/** More than any webhook body; each of some thousand forms of it is hashed. */
export const diagnoseBytesMax = 1024 * 1024;

/** Pages of a webhook's history that are asked for at most. */
export const historyPagesMax = 200;

export const overlapSecondsMax = 90 * 24 * 60 * 60;

/** How long a temporary sandbox key is accepted, should nobody take it out. */
export const temporaryKeyMilliseconds = 15 * 60 * 1_000;
/**
 * How long the verifier may take to know a key that was just put in, which each copy of it does within a
 * minute, and the pause before it is asked again while it has no key at all. After a refusal it is left alone
 * for all of that time, since five refusals ring SignatureMismatches.
 */
export const acceptanceMilliseconds = 62_000;
export const keylessPauseMilliseconds = 6_000;
/** How often the temporary key is taken out, when somebody else changes the keys at the same time. */
export const temporaryKeyRoundsMax = 5;
/**
 * How long an order is watched that a repeated event must not change, or that is about to follow its event,
 * and how often it is looked at.
 */
export const smokeSettleMilliseconds = 2_000;
export const smokeSettlePollMilliseconds = 400;

/** What DescribeAlarms takes as names. */
export const describeAlarmsNamesMax = 100;
/** IAM throttles the simulation of policies early. */
export const simulationAttemptsMax = 8;

/** For one question of `smoke --answers`, of which some send 10 MB. */
export const questionMilliseconds = 60_000;
/** What is kept of the body of an answer. */
export const answerCharactersMax = 300;
/** How long the body is held back that waits for `100 Continue`. */
export const continueMilliseconds = 3_000;
/** How long a large body is held back in case that its length is refused already. */
export const refusalMilliseconds = 500;
