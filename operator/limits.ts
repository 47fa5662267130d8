import { tokenRenewalPollMilliseconds } from '../lambdas/contract/limits.ts';

/** Every bound of the command line, unit last. */

/** How long local mode may take to respond: milliseconds, and seconds while its machine is busy. */
export const localProbeMilliseconds = 15_000;

/** An operator is further away from AWS than a function in it, so these limits are longer. */
export const awsConnectMilliseconds = 5_000;
export const awsRequestMilliseconds = 15_000;
export const awsAttemptsMax = 3;

/** How long an endpoint may take to respond to `send`. */
export const sendMilliseconds = 15_000;
export const sendRepeatsMax = 1_000;
/** The pause of `send --follow` between two requests. */
export const followPollMilliseconds = 200;

/** How many orders a list shows. */
export const listedOrdersDefault = 20;
export const listedOrdersMax = 10_000;

/** A key or token is short; a file that is given by mistake is not read to its end. */
export const secretInputBytesMax = 8 * 1024;
/** What `send` reads; the payment service's largest notification is not known. */
export const bodyInputBytesMax = 8 * 1024 * 1024;

/** The most pages of a webhook's history that are read. */
export const historyPagesMax = 200;

/** How long a rotated key stays accepted by default; one that was used as recently is not expired. */
export const keyOverlapMilliseconds = 24 * 60 * 60 * 1_000;
export const overlapSecondsMax = 90 * 24 * 60 * 60;

/** How far back `status` looks for a heartbeat that returned. */
export const heartbeatLookBackMilliseconds = 6 * 60 * 60 * 1_000;
/** How far back `status` looks for the age of the oldest event; CloudWatch has it some minutes later. */
export const queueAgeLookBackMilliseconds = 10 * 60 * 1_000;
/** The most names that DescribeAlarms accepts. */
export const describeAlarmsNamesMax = 100;

/** How much of the dead-letter queue is looked at, and how long a message is hidden meanwhile. */
export const peekMessagesMax = 500;
export const peekVisibilitySeconds = 30;
export const peekEmptyReceivesMax = 2;
/** How often a move task that was just started may be missing from the list of tasks. */
export const redriveUnlistedPollsMax = 10;

/** The most message ids in one query of the log: a query may have 10,000 characters. */
export const retryQueryIdsMax = 200;
/** How long a search in a log may take, how often it is looked at, and CloudWatch's own bounds of one. */
export const logSearchMilliseconds = 30_000;
export const logSearchPollMilliseconds = 500;
export const logRowsMax = 10_000;

/** What `refused` shows without `--since`. */
export const refusedSinceMilliseconds = 24 * 60 * 60 * 1_000;
/** How long before it, and before the last match of a key, accepted webhooks count; each line is billed. */
export const acceptedBeforeMilliseconds = 24 * 60 * 60 * 1_000;
export const acceptedBeforeMillisecondsMax = 7 * 24 * 60 * 60 * 1_000;
/** The addresses that are shown of each reason. */
export const refusedAddressesMax = 20;

/** What `reconcile` compares without `--since`. */
export const reconcileSinceMilliseconds = 24 * 60 * 60 * 1_000;

/** How often long work prints a line where no progress bar can be shown. */
export const progressNoteMilliseconds = 10_000;
/** The parts of the tables that a rebuild goes through at once; the API takes 20 requests a second. */
export const runSegments = 12;
/** The most events per second that `--rate` takes. */
export const replayRateMax = 1_000;

/** Below it, `deploy` warns: the functions of one stack at a peak, with room for those of others. */
export const concurrencyAdvised = 100;

/** What a restore adds to the setting `sequenceBase`: more than the changes that an order ever has. */
export const sequenceBaseStep = 1_000_000_000;
/** The first and the longest pause between two looks at a table that is being restored. */
export const restorePollMilliseconds = 500;
export const restorePollMillisecondsMax = 10_000;

/**
 * How long before the restored time `restore --rows-from` begins: a row is stamped before it is written, and
 * the restored table lacks those that were written after its time.
 */
export const copiedBeforeMilliseconds = 60 * 60 * 1_000;
/** How many rows `restore --rows-from` writes at a time. */
export const copiedAtOnceMax = 25;

/** How long `repair` waits until everything that it restored holds. */
export const repairMilliseconds = 120_000;

/** The waits of a session. Tests run sessions with shorter ones. */
export type Waits = Readonly<Record<keyof typeof waits, number>>;

export const waits = {
  /** How long `send --follow` waits until the order holds the event. */
  followMilliseconds: 30_000,
  /** How long `smoke` waits for the heartbeat that it has sent, and how often it looks. */
  heartbeatReturnMilliseconds: 60_000,
  heartbeatPollMilliseconds: 500,
  /** How often `deploy` looks at a deployment under way. */
  deployPollMilliseconds: 5_000,
  /** How often `dlq redrive` looks. */
  redrivePollMilliseconds: 1_000,
  /** How recent a delivery is that `reconcile` may not find recorded yet. */
  deliveryRecentMilliseconds: 60_000,
  /** How late CloudWatch may show a line that `audit` misses. */
  evidenceDelayMilliseconds: 15_000,
  /** How often `repair` looks at what it has restored. */
  repairPollMilliseconds: 1_000,
  /** How often `token refresh` looks for the token. */
  tokenPollMilliseconds: tokenRenewalPollMilliseconds,
};
