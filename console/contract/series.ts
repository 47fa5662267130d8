/** Why a request got to the verifier and no 2xx. The last three are faults on our side. */
export const refusalReasons = [
  'unreadable',
  'mismatch',
  'key_expired',
  'too_large',
  'keys_unavailable',
  'queue_unavailable',
  'crashed',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** One number per minute, the oldest first. */
export type Counts = readonly number[];
/** `null` for a minute without a value. */
export type Levels = readonly (number | null)[];

/** The last hour that is known, from `GET /console/api/series`. Heartbeats are in none of the counts. */
export interface Series {
  /** When the first minute began; ISO 8601. */
  readonly since: string;
  /** Webhooks that got 202. */
  readonly accepted: Counts;
  /** Events of the queue that were handled, repeated ones too. */
  readonly recorded: Counts;
  readonly refused: Readonly<Record<RefusalReason, Counts>>;
  /** The age of the oldest event that was not recorded, in seconds. */
  readonly oldest_seconds: Levels;
}
