/**
 * Two other builds of this pipeline, per million events, as the project noted them at the same list prices before
 * this code was written. Their lines are not recorded; the notes name no index of changes and no feed.
 */

/** REST API, x86, Powertools' idempotency with a transaction, the body logged twice. */
export const naiveDollars = 13.64;

/** The least that the pipeline can come to on an HTTP API. */
export const floorDollars = 2.32;
