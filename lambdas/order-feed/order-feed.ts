import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { orderFeedFailurePauseMilliseconds } from '../contract/limits.ts';
import { reportLag } from './change-lag.ts';
import { orderChange } from './order-change.ts';
import { type FeedEntry, feedEntry } from './order-status-changed.ts';
import { type PublishParts, publish } from './publish.ts';
import { reportNotPublished, reportPublished, reportUnreadable } from './report.ts';
import { readOrderWrite } from './stream-record.ts';
import { streamResponse } from './stream-response.ts';

export interface OrderFeedParts extends PublishParts {
  /** Added to the sequence of every order: the setting of this name. */
  readonly sequenceBase: number;
}

export type OrderFeed = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/** What a record of the stream needs. */
type Step =
  | { readonly kind: 'changed'; readonly sequenceNumber: string | undefined; readonly entry: FeedEntry }
  | { readonly kind: 'unreadable'; readonly sequenceNumber: string | undefined };

/**
 * Publishes to the bus what each write to an order changed. A record that fails does not hold back those that
 * follow it: if Lambda gives up on the failed record, it gives up on the rest of its batch as well. The
 * stream then continues from the first failure, so some changes are published more than once.
 */
export function createOrderFeed(parts: OrderFeedParts): OrderFeed {
  return async function publishOrderChanges({ Records }) {
    try {
      const steps = Records.flatMap((record) => readStep(parts, record) ?? []);
      const entries = steps.flatMap((step) => (step.kind === 'changed' ? [step.entry] : []));
      const refused = await publish(parts, entries);
      for (const entry of entries) {
        const reason = refused.get(entry);
        if (reason === undefined) reportPublished(parts.telemetry, entry);
        else reportNotPublished(parts.telemetry, entry, reason);
      }
      const failed = steps.find((step) => step.kind === 'unreadable' || refused.has(step.entry));
      // AWS does not document how soon it repeats a failed batch; this pause spaces the attempts.
      if (failed !== undefined) await parts.pause(orderFeedFailurePauseMilliseconds);
      return streamResponse(failed);
    } finally {
      parts.telemetry.flush();
    }
  };
}

/** Nothing for a record that changes no view. */
function readStep(parts: OrderFeedParts, record: DynamoDBRecord): Step | undefined {
  const sequenceNumber = record.dynamodb?.SequenceNumber;
  try {
    const write = readOrderWrite(record, parts.sequenceBase);
    if (write === undefined) return undefined;
    reportLag(parts.telemetry, write, record);
    const change = orderChange(write);
    return change && { kind: 'changed', sequenceNumber, entry: feedEntry(change) };
  } catch (error) {
    reportUnreadable(parts.telemetry, record, error);
    return { kind: 'unreadable', sequenceNumber };
  }
}
