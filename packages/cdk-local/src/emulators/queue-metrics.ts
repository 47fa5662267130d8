import { basename } from 'node:path/posix';
import type { buildApp } from 'fauxqs';
import type { QueueStore } from './fauxqs.ts';

/** By queue name; the metric names are those of SQS. */
export type QueueMetrics = ReadonlyMap<string, Readonly<Record<string, number>>>;

/**
 * Reads the metrics of each queue as they are now (milliseconds since the epoch). Like SQS's,
 * `NumberOfMessagesSent` leaves out the messages that a redrive policy moves; it counts since the last call.
 */
export function countMessages(app: ReturnType<typeof buildApp>, store: QueueStore) {
  const sent = new Map<string, number>();
  app.addHook('onResponse', async (request, reply) => {
    const { QueueUrl = '', Entries } = (request.body ?? {}) as { QueueUrl?: string; Entries?: unknown[] };
    const isSend = /^AmazonSQS\.SendMessage(Batch)?$/.test(String(request.headers['x-amz-target']));
    if (!isSend || reply.statusCode !== 200) return;
    const name = basename(QueueUrl);
    sent.set(name, (sent.get(name) ?? 0) + (Entries?.length ?? 1));
  });
  return function readMetrics(now: number): QueueMetrics {
    const read = [...store.allQueues()].map(({ url, messages, inflightMessages }) => {
      const name = basename(url);
      const all = [...messages, ...[...inflightMessages.values()].map(({ message }) => message)];
      const oldest = Math.min(now, ...all.map(({ sentTimestamp }) => sentTimestamp));
      const values = {
        ApproximateNumberOfMessagesVisible: messages.length,
        ApproximateAgeOfOldestMessage: (now - oldest) / 1_000,
        NumberOfMessagesSent: sent.get(name) ?? 0,
      };
      return [name, values] as const;
    });
    sent.clear();
    return new Map(read);
  };
}
