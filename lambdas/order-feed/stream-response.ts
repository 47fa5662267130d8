import type { DynamoDBBatchResponse } from 'aws-lambda';

/**
 * The only place that writes `batchItemFailures` for the stream. With an empty list Lambda continues after
 * the batch; otherwise it repeats everything from the named record on. A failure without a sequence number
 * fails the whole batch, with an error in the log.
 */
export function streamResponse(
  firstFailed: { readonly sequenceNumber: string | undefined } | undefined,
): DynamoDBBatchResponse {
  if (firstFailed === undefined) return { batchItemFailures: [] };
  const { sequenceNumber } = firstFailed;
  if (sequenceNumber === undefined || sequenceNumber === '') {
    throw new Error('A record that failed has no SequenceNumber, so the whole batch is sent again.');
  }
  return { batchItemFailures: [{ itemIdentifier: sequenceNumber }] };
}
