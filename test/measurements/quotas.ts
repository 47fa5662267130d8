/** Defaults of AWS per account and region, as their pages said in November 2026; a table in `docs/scale.md`. */
export const quotas = {
  gatewayRequestsPerSecond: 10_000,
  gatewayBurst: 5_000,
  lambdaConcurrency: 1_000,
  /** AWS says that new accounts have less, and not how much; ten is what they are commonly given. */
  lambdaConcurrencyNewAccount: 10,
  /** Each function may add this many copies in ten seconds. */
  lambdaCopiesPerTenSeconds: 1_000,
  /** Batches at one time that the pollers of a queue begin with, and how many they add in a minute. */
  pollerBatchesFirst: 5,
  pollerBatchesPerMinute: 300,
  /** A new table on demand, and a new index; it doubles with what it has served. */
  newTableWriteUnitsPerSecond: 4_000,
  partitionWriteUnitsPerSecond: 1_000,
  tableWriteUnitsPerSecond: 40_000,
  /** Calls of PutEvents in us-east-1; 2,400 in us-east-2, fewer in small regions. */
  putEventsPerSecond: 10_000,
  queueInFlight: 120_000,
  secretReadsPerSecond: 10_000,
} as const;
