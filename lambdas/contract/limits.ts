/** Every bound of the pipeline, unit last; `test/lambdas/contract/limits.test.ts` asserts how they relate. */

/** A larger body gets 413. With its attributes a body of this size still fits a DynamoDB item of 400 KB. */
export const bodyBytesMax = 256 * 1024;

/** The UTF-8 length of an order id, which is part of a DynamoDB key of at most 2,048 bytes. */
export const orderIdBytesMax = 1024;

/** The fields of a fact (the last: amount, currency, time) in bytes of JSON; an escape takes up to six. */
export const eventIdBytesMax = 512;
export const eventNameBytesMax = 256;
export const transactionIdBytesMax = 256;
export const factFieldBytesMax = 256;
/** The fields, and 44 bytes of tags, quotes and commas. 200 facts of this size still fit an order's row. */
export const factBytesMax =
  eventIdBytesMax + eventNameBytesMax + transactionIdBytesMax + 3 * factFieldBytesMax + 44;

/** Digits on each side of the decimal point; more is not an amount of money. */
export const amountDigitsMax = 30;
/** Amounts that an instance keeps as numbers. */
export const amountsKnownMax = 2_000;

/** Private keys in the secret at one time; a rotation needs two. */
export const privateKeysMax = 10;

/** Short: a forgery makes an instance read its keys, and must not delay a new key for longer than this. */
export const secretRereadCooldownSeconds = 10;
/** Without any key the response is 503; the secret is read again at most once in this time. */
export const secretRetrySeconds = 5;
/** Older keys are read again before they are used, so that a removed key stops working. */
export const secretMaxAgeSeconds = 300;
/** In an outage of Secrets Manager the last good keys are used this long; otherwise only for their age. */
export const secretStaleSecondsMax = 6 * 60 * 60;
/** The `Retry-After` of a 503. */
export const retryAfterSeconds = 5;

/** One attempt, with its connection and its response; of the whole SDK, until the response begins. */
export const requestTimeoutMilliseconds = 1_250;
export const sdkAttemptsMax = 3;
/** The longest first pause between two attempts of a write with a time stamp; the next is twice as long. */
export const stampedWritePauseMilliseconds = 100;
/** One call of AWS with all its attempts, the pauses between them and the body of its response. */
export const callMillisecondsMax = 4_000;
/** How many times as long a call may take in local mode, whose emulators share a busy machine. */
export const localPatience = 3;

export const verifierTimeoutSeconds = 15;
export const consumerTimeoutSeconds = 52;
export const orderQueryTimeoutSeconds = 25;
export const orderQueryRequestsPerSecond = 100;
export const orderQueryBurst = 200;
export const orderFeedTimeoutSeconds = 60;
export const webhookAuditTimeoutSeconds = 120;
export const tokenRefreshTimeoutSeconds = 120;
export const waitingCountTimeoutSeconds = 50;
export const selfCheckTimeoutSeconds = 120;

/** Of each function without a line of its own; CPU time grows with memory. */
export const functionMemoryMegabytes = 256;
export const consumerMemoryMegabytes = 512;
/** For its cold starts, which people and order systems wait for: `docs/performance.md` has the seconds. */
export const orderQueryMemoryMegabytes = 1_024;

export const consumerBatchRecordsMax = 10;

/** Refusals of one reason that an instance logs one by one, per minute: no fewer than raise an alarm. */
export const refusalLinesPerMinute = 20;
/** How often it sums up the rest, as each line of a flood costs money. Its end may lose the last sum. */
export const refusalSumSeconds = 1;

/** A record that failed is tried again after this long, twice as long after each further attempt. */
export const retryBackOffSeconds = 5;
export const retryBackOffSecondsMax = 180;
/** More would save nothing: at any rate that fills batches, they are full sooner. */
export const batchWindowSecondsMax = 10;
/** AWS's rule for a mapping. It applies only after a consumer that crashed or timed out. */
export const queueVisibilitySeconds = 6 * consumerTimeoutSeconds + batchWindowSecondsMax;
/** An outage of four hours needs no operator: the last attempt is at least that long after the first. */
export const queueReceivesMax = 90;
/**
 * The maximum of SQS. It counts from the first enqueue for both queues together; only a redrive starts again.
 */
export const queueRetentionDays = 14;
export const deadLetterRetentionDays = 14;
/** How often the dead-letter queue gets its redrive allow policy again. */
export const deadLetterSourceIntervalMinutes = 60;

/** Facts in one write: a condition takes 4 KB of text and 300 operators at most. */
export const mergeFactsMax = 50;
/** What a row of `orders` keeps free: the fact that reports a full row needs 8 bytes. */
export const orderHeadroomBytes = 12;

/**
 * Entries in the row of a transaction; a few are usual, one for each event about money. Two such rows and all
 * that they name fit into one transaction of DynamoDB, unless both are nearly full.
 */
export const transactionEntriesMax = 50;
/** Bodies under one event id that a repair handles; a sender that reuses an id for everything has more. */
export const bodiesOfEventMax = 50;
/** A repair reads again this many times when others change its rows meanwhile. */
export const repairAttemptsMax = 8;
/** The longest first pause between two such attempts; each further pause is twice as long. */
export const repairPauseMilliseconds = 20;
/** The time limit of a consumer and of its last request: after it, none still writes what it read before. */
export const consumerInFlightSeconds = 60;
/** Event names without a meaning that a consumer remembers, so that it stores each of them once. */
export const eventNamesRememberedMax = 1_000;

/**
 * The indexes by change and by receipt are spread over this many partitions of 1,000 writes/s each. Every
 * page of a list queries all of them, for half a read unit each when there is nothing. Never fewer than a
 * release had: rows keep theirs.
 */
export const changeShards = 4;

/** The maxima of DynamoDB for one TransactWriteItems and one BatchGetItem. */
export const transactItemsMax = 100;
export const batchGetKeysMax = 100;
/**
 * Rounds for unprocessed keys, and the longest first pause between them; each further one is twice as long.
 */
export const batchGetRoundsMax = 5;
export const batchGetPauseMilliseconds = 50;

/** Orders in one page of the list: by default and at most. */
export const listOrdersDefault = 50;
export const listOrdersMax = 100;
/** A page of the list ends early when its orders have more events than this. */
export const listEventsMax = 1_000;
/** The newest events of an order that show the state after them; of older ones it is not computed. */
export const orderStepsMax = 100;
/** Pages read from one index partition for one response; a page of keys is 1 MB at most. */
export const indexPagesMax = 20;
/** Changes in every page after the first, which is as large as the response. */
export const indexPageChangesMax = 1_000;
/** A cursor's text; with the request line it stays below API Gateway's limit for headers. */
export const cursorCharactersMax = 512;
/**
 * The time from the stamp of a change until it is certain to be in the index. An order system sees changes of
 * this time twice, so it is not larger than needed.
 */
export const changesSettleSeconds = 30;
/** The shares of it from which on the lag of a write is emitted, and from which on it raises an alarm. */
export const changeLagReportedShare = 1 / 3;
export const changeLagAlarmShare = 2 / 3;

/** The maximum of one PutEvents request; a batch of the stream is one request. */
export const putEventsEntriesMax = 10;
/** Of a request and of an entry: below the 256 KB that some targets accept, with room for the envelope. */
export const putEventsBytesMax = 250 * 1024;
/** Rounds for entries that EventBridge refuses within one invocation, and the first pause between rounds. */
export const putEventsRoundsMax = 3;
export const putEventsPauseMilliseconds = 200;

export const orderFeedBatchRecordsMax = putEventsEntriesMax;
/**
 * Concurrent batches of one shard, still in sequence for each order. A shard has at most 1,000 writes/s,
 * which four readers handle while an invocation takes 40 ms; more would take concurrency from the verifier.
 */
export const orderFeedReadersPerShard = 4;
/** A stream keeps records for 24 h. Records that fail for half of that go to the failure queue. */
export const orderFeedRecordAgeSecondsMax = 12 * 60 * 60;
/** The pause before a failed batch returns to the stream: it spaces the retries. */
export const orderFeedFailurePauseMilliseconds = 5_000;

/** Four audits within the hour of their alarms: one may fail. */
export const webhookAuditIntervalMinutes = 15;
/** After this long an audit gives up and reports it; a timeout of the function would report nothing. */
export const webhookAuditSecondsMax = 100;
/** How often EventBridge Scheduler retries to start a function; its next turn follows soon. */
export const scheduledStartRetriesMax = 2;
export const waitingCountIntervalMinutes = 3;
export const selfCheckIntervalMinutes = 60;
/** Pages that a count reads of one index partition; a page is 1 MB, some thousands of rows. */
export const waitingPagesMax = 4;
/** Event names in the setting `requiredEvents`. */
export const requiredEventsMax = 50;
/** The setting `eventMeanings` as JSON. Lambda takes 4 KB for all variables of a function. */
export const eventMeaningsBytesMax = 2_048;

/**
 * An unused refresh token may expire. An access token that expires sooner is renewed when a call gets a 401.
 */
export const tokenRefreshIntervalHours = 24;
/** How long a reader waits for a renewal, and how often it polls. */
export const tokenRenewalSecondsMax = 45;
export const tokenRenewalPollMilliseconds = 500;
/** Of one renewal: the second replaces a token that was stored while the first ran. */
export const tokenRotationsMax = 2;
/** One attempt of the exchange, attempts, and the longest pause: time is left to store the tokens. */
export const tokenExchangeMillisecondsMax = 10_000;
export const tokenExchangeAttemptsMax = 2;
export const tokenExchangeWaitMillisecondsMax = 2_000;
/** Attempts to store new tokens, which are the only copy, and the first pause between attempts. */
export const tokenKeepRoundsMax = 3;
export const tokenKeepPauseMilliseconds = 500;
/** The second round uses the token of another rotation, which has spent ours. */
export const tokenRenewalRoundsMax = 2;
