/**
 * Every bound of the pipeline, unit last. `lib/`, `lambdas/` and `local/` import from here, and
 * `test/limits.test.ts` asserts how the bounds relate.
 */

/** A body above this is answered 413: with its attributes it still fits a DynamoDB item of 400 KB. */
export const bodyBytesMax = 256 * 1024;

/**
 * What the ids inside a body may measure, as UTF-8: they become parts of DynamoDB keys (2,048 bytes at most).
 */
export const eventIdBytesMax = 512;
export const orderIdBytesMax = 1024;
export const eventNameBytesMax = 256;

/** A longer transaction field is no such field: every fact stays below 2 KB, whoever signs it. */
export const factFieldCharactersMax = 256;

/** Digits on either side of the decimal point; more is not an amount of money. */
export const amountDigitsMax = 30;

/** Private keys in the secret at one time; a rotation needs two. */
export const privateKeysMax = 10;

/** After a mismatch the secret is read again at most this often per instance, so forgeries cannot amplify. */
export const secretRereadCooldownSeconds = 60;
/** Without any key the answer is 503; the secret is asked again at most this often. */
export const secretRetrySeconds = 5;
/** Keys older than this are read again before they are used, so that a removed key stops working. */
export const secretMaxAgeSeconds = 300;
/** While the secret cannot be read, the last good keys serve this long. */
export const secretStaleSecondsMax = 6 * 60 * 60;

/** What a 503 asks the sender to wait. */
export const retryAfterSeconds = 5;

export const connectTimeoutMilliseconds = 1_000;
export const requestTimeoutMilliseconds = 2_500;
export const sdkAttemptsMax = 3;

export const verifierTimeoutSeconds = 15;
export const consumerTimeoutSeconds = 30;
export const orderQueryTimeoutSeconds = 15;
export const orderFeedTimeoutSeconds = 60;
export const webhookAuditTimeoutSeconds = 120;
export const tokenRefreshTimeoutSeconds = 120;

export const verifierMemoryMegabytes = 256;
export const consumerMemoryMegabytes = 512;
export const orderQueryMemoryMegabytes = 256;
export const orderFeedMemoryMegabytes = 256;
export const webhookAuditMemoryMegabytes = 256;
export const tokenRefreshMemoryMegabytes = 256;

export const consumerBatchRecordsMax = 10;

/** Six times the consumer's timeout, as AWS asks of an event source mapping. */
export const queueVisibilitySeconds = 6 * consumerTimeoutSeconds;
/** Four hours of DynamoDB outage need no operator: visibility × receives ≥ 4 h. */
export const queueReceivesMax = 80;
export const queueRetentionDays = 4;
/** DLQ retention counts from the first enqueue, hence the longest that SQS has. */
export const deadLetterRetentionDays = 14;

/** The "changed since" index is spread over this many partitions of 1,000 writes/s each. */
export const changeShards = 16;

/** BatchGetItem takes 100 keys at most. */
export const batchGetKeysMax = 100;
/** Rounds for keys that DynamoDB left unprocessed, before the query answers with a fault. */
export const batchGetRoundsMax = 5;

/** Orders in one answer of the list, without `limit` and at most. */
export const listOrdersDefault = 50;
export const listOrdersMax = 100;
/** A list ends its page early rather than look up the arrival of more events than this. */
export const listEventsMax = 1_000;
/** Pages that one index partition is asked for within one answer; a page of keys is 1 MB. */
export const indexPagesMax = 20;
/** A cursor's text; with the request line it stays below what API Gateway takes as headers. */
export const cursorCharactersMax = 512;
/**
 * After this long a change shows in the index, whatever came between its time stamp and its commit: the
 * attempts of the write, two clocks that disagree, the index's own delay.
 */
export const changesSettleSeconds = 15;

/** What one request of PutEvents takes, so that a batch of the stream is one request. */
export const putEventsEntriesMax = 10;
/**
 * For a request and for an entry: below the 256 KB that EventBridge long had as its limit and that some
 * targets still have, with room for what EventBridge puts around a detail.
 */
export const putEventsBytesMax = 250 * 1024;
/** How often entries that EventBridge refuses are sent within one invocation, and the first pause between. */
export const putEventsRoundsMax = 3;
export const putEventsPauseMilliseconds = 200;

export const orderFeedBatchRecordsMax = putEventsEntriesMax;
/**
 * Batches of one shard at a time, still in order for each order. A shard has at most 1,000 writes/s, which
 * four readers keep up with while an invocation takes 40 ms; more would take concurrency from the verifier.
 */
export const orderFeedReadersPerShard = 4;
/** A stream forgets after 24 h. What has failed for half of that goes to the failure queue, to be seen. */
export const orderFeedRecordAgeSecondsMax = 12 * 60 * 60;
/** Before a failed batch returns to the stream: with it the retries last as long as the age allows. */
export const orderFeedFailurePauseMilliseconds = 5_000;
/** As many as Lambda takes. */
export const orderFeedRetriesMax = 10_000;

/**
 * Four audits within the hour of their alarms: a registration that was removed rings in time, also when one
 * audit in between fails.
 */
export const webhookAuditIntervalMinutes = 15;
/** After this long an audit gives up and says so, which its function's timeout would not. */
export const webhookAuditSecondsMax = 100;
/** How often EventBridge Scheduler tries to start an audit again; the next one comes soon. */
export const webhookAuditStartRetriesMax = 2;
/** Event names that a webhook can be required to be registered for. */
export const requiredEventsMax = 50;

/**
 * A refresh token that is not used for long may expire, so it is used daily. An access token that expires
 * sooner is renewed when the audit meets it.
 */
export const tokenRefreshIntervalHours = 24;
/** How long a renewal may take that somebody waits for, and how often it is looked at. */
export const tokenRenewalSecondsMax = 45;
export const tokenRenewalPollMilliseconds = 500;
/** An access token is renewed this long before it expires, so that it does not expire on its way. */
export const tokenExpiryMarginSeconds = 60;
/**
 * An attempt of the exchange, how many there are when the service asks to wait, and how long it may ask for.
 * After all of it the function still has the time to keep the new tokens.
 */
export const tokenExchangeMillisecondsMax = 10_000;
export const tokenExchangeAttemptsMax = 2;
export const tokenExchangeWaitMillisecondsMax = 2_000;
/** How often new tokens are put into the secret, which are the only copy, and the first pause between. */
export const tokenKeepRoundsMax = 3;
export const tokenKeepPauseMilliseconds = 500;
/** A second round is for the token of another rotation, which has spent ours. */
export const tokenRenewalRoundsMax = 2;

/** Alarm: audits in a row that met no payment service; a single one that ran out of time wakes nobody. */
export const unreachableAuditsAlarm = 2;
/** Alarm: the feed is this far behind the orders. */
export const orderFeedAgeAlarmSeconds = 15 * 60;
/** Alarm: an event waits this long in the queue, several times what a passing fault of DynamoDB costs. */
export const eventAgeAlarmSeconds = 15 * 60;
/** Alarm: a wrong or missing key shows at low traffic too, since the sender repeats what was refused. */
export const mismatchesPerHourAlarm = 5;
/** Alarm: higher, as scanners of the internet post without a signature now and then. */
export const unreadableSignaturesPerHourAlarm = 20;
/** Alarm: ACM renews earlier what it can renew, so by now a person has to, and has the time for it. */
export const certificateExpiryAlarmDays = 30;
