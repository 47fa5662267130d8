import type { DynamoDBBatchResponse } from 'aws-lambda';

/**
 * Lambda goes on behind the batch when the list is empty, and otherwise hands over everything again from the
 * named record on. A failure without a name fails the whole batch, and says so in the log. For streams this
 * is the only place that writes `batchItemFailures`.
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
