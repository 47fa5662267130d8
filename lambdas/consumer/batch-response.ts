import type { SQSBatchResponse } from 'aws-lambda';

/** What became of one record. A record in quarantine is done: it is stored, with its reason. */
export type Verdict =
  | { readonly messageId: string; readonly kind: 'done' }
  | { readonly messageId: string; readonly kind: 'retry' };

/**
 * Lambda reads an empty list as "all done" and deletes everything; a wrong key name or an empty id fails the
 * whole batch. So this is the only place that writes `batchItemFailures`.
 */
export function batchResponse(verdicts: readonly Verdict[]): SQSBatchResponse {
  return {
    batchItemFailures: verdicts
      .filter(({ kind }) => kind === 'retry')
      .map(({ messageId }) => ({ itemIdentifier: messageId })),
  };
}
