import type { SQSBatchResponse } from 'aws-lambda';

/** What becomes of one record. A quarantined record is done: it is stored with its reason. */
export type Verdict =
  | { readonly messageId: string; readonly kind: 'done' }
  | { readonly messageId: string; readonly kind: 'retry' };

/**
 * The only place that writes `batchItemFailures` for the queue: Lambda deletes the whole batch when the list
 * is empty, and fails the whole batch on a wrong key name or an empty id.
 */
export function batchResponse(verdicts: readonly Verdict[]): SQSBatchResponse {
  return {
    batchItemFailures: verdicts
      .filter(({ kind }) => kind === 'retry')
      .map(({ messageId }) => ({ itemIdentifier: messageId })),
  };
}
