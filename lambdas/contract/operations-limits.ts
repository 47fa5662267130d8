/** Bounds of what operators do, unit last; `limits.ts` has those of the pipeline. */

/** The identity of an operator and the reason for an act, in bytes of JSON: both are parts of facts. */
export const actorBytesMax = 640;
export const reasonBytesMax = 512;

/** The last use of a key is stored at most once in this time, per key and consumer instance. */
export const keyUseIntervalSeconds = 5 * 60;

/** Below the 30 seconds of API Gateway. */
export const operationsTimeoutSeconds = 28;
/** An act reads, folds and writes whole orders. */
export const operationsMemoryMegabytes = 512;

/** For people and their tools, which page through long work; order systems have an API of their own. */
export const operationsRequestsPerSecond = 20;
export const operationsBurst = 40;

/** Waiting events in one page of the list: by default and at most. */
export const waitingListDefault = 50;
export const waitingListMax = 100;

/** Received events in one page of the list: by default and at most. */
export const receivedListDefault = 50;
export const receivedListMax = 100;
/** Events that one page with a filter looks at, and those that it reads of each shard. */
export const receivedExaminedMax = 1_000;
export const receivedOfShardMax = 500;

/** Bodies in one response, and the bytes of their records as JSON; Lambda returns 6 MB at most. */
export const bodiesMax = 10;
export const bodiesBytesMax = 4 * 1024 * 1024;

/** Events that one bulk act judges, and how many of them at a time: each takes three requests. */
export const bulkEventsMax = 1_000;
export const bulkActsAtOnce = 4;

/** The body of a request for an act. */
export const actRequestBytesMax = 16 * 1024;
/** The cursor of an act: the key of a row, or that of an order and the id of an event of it. */
export const actCursorCharactersMax = 9_216;
/** How long an act that was proposed can be approved; after that it is proposed again. */
export const proposalDays = 7;
/** What a proposal stores of its plan, as JSON: a row has 400 KB. */
export const proposalPlanBytesMax = 128 * 1024;
/** Proposals in one page of the list: Lambda returns 6 MB at most. */
export const proposalsPageMax = 20;
/** Attentions that one request resolves; an order has fewer. */
export const attentionsResolvedMax = 20;
/** Acts that a history shows of one event or order. */
export const actsReadMax = 100;
/** Attempts to judge a row that others change at the same time, each after a new read. */
export const judgementAttemptsMax = 5;

/** Events of an order that one request erases. */
export const erasedEventsPageMax = 20;

/** Rows that one page of a scan reads: of `events` at most 1 MB of them, of `orders` whole orders. */
export const scanPageRows = 500;
export const scanPageOrders = 50;
/** How long one request for a replay goes on: another event takes less than the rest of the timeout. */
export const replayMillisecondsMax = 12_000;
/** Events that one request replays, by default and at most, and how many of them at a time. */
export const replayEventsMax = 200;
export const replayEventsAtOnce = 4;
/** Events that a run with the stored readings compares together, before it repairs those that differ. */
export const comparedEventsAtOnce = 100;
/** Into how many parts a request may divide the tables: as many as a scan of DynamoDB has. */
export const segmentsMax = 1_000_000;
/** Orders that one response of a replay lists: it ends with the event that reaches this. */
export const replayOrdersMax = 100;
/** The facts of these orders, before and after. The last events may add as many full orders. */
export const replayOrdersBytesMax = 1024 * 1024;
/** A comparison ends with the page of orders in which this many differences have been found. */
export const verifyDifferencesMax = 5_000;

/** Events of one order whose bodies a history compares; of the others it lists only the first body. */
export const orderBodiesEventsMax = 50;
/** A comparison gives an event that was recorded within this time a second look, after a pause. */
export const verifyInFlightSeconds = 60;
export const verifyPauseMilliseconds = 3_000;
/** How long the second look goes on; those that it does not reach are shown as they were at first. */
export const verifyAgainMillisecondsMax = 6_000;
