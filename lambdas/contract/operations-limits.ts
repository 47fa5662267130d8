/** Bounds of what operators do, unit last; `limits.ts` has those of the pipeline. */

/** The identity of an operator and the reason for an act, in bytes of JSON: both are parts of facts. */
export const actorBytesMax = 640;
export const reasonBytesMax = 512;

/** The last use of a key is stored at most once in this time, per key and consumer instance. */
export const keyUseIntervalSeconds = 5 * 60;
