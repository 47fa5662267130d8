import { basename } from 'node:path/posix';
import type { buildApp } from 'fauxqs';
import type { QueueStore } from './fauxqs.ts';

/** By queue name; the metric names are those of SQS. */
export type QueueMetrics = ReadonlyMap<string, Readonly<Record<string, number>>>;

/**
 * Reads the metrics of each queue as they are now, by the clock (milliseconds since the epoch). Like SQS's,
 * `NumberOfMessagesSent` leaves out the messages that a redrive policy moves. Sent and deleted messages are
 * counted since the last call.
 */
export function countMessages(app: ReturnType<typeof buildApp>, store: QueueStore, clock: () => number) {
  const counted = { SendMessage: new Map<string, number>(), DeleteMessage: new Map<string, number>() };
  const timeOf = createTimeline(clock);
  app.addHook('onRequest', async () => void timeOf());
  app.addHook('onResponse', async (request, reply) => {
    const { QueueUrl = '', Entries } = (request.body ?? {}) as { QueueUrl?: string; Entries?: unknown[] };
    const target = String(request.headers['x-amz-target']);
    const action = /^AmazonSQS\.(SendMessage|DeleteMessage)(Batch)?$/.exec(target)?.[1];
    if (action === undefined || reply.statusCode !== 200) return;
    const counts = counted[action as keyof typeof counted];
    const name = basename(QueueUrl);
    counts.set(name, (counts.get(name) ?? 0) + (Entries?.length ?? 1));
  });
  return function readMetrics(): QueueMetrics {
    const now = timeOf();
    const read = [...store.allQueues()].map(({ url, messages, inflightMessages }) => {
      const name = basename(url);
      const all = [...messages, ...[...inflightMessages.values()].map(({ message }) => message)];
      const oldest = Math.min(now, ...all.map(({ sentTimestamp }) => timeOf(sentTimestamp)));
      const values = {
        ApproximateNumberOfMessagesVisible: messages.length,
        ApproximateAgeOfOldestMessage: (now - oldest) / 1_000,
        NumberOfMessagesSent: counted.SendMessage.get(name) ?? 0,
        NumberOfMessagesDeleted: counted.DeleteMessage.get(name) ?? 0,
      };
      return [name, values] as const;
    });
    for (const counts of Object.values(counted)) counts.clear();
    return new Map(read);
  };
}

/**
 * What a clock showed at a moment of the system, by which fauxqs goes. A clock of a test jumps ahead, and a
 * message that was sent after a jump is not older for it.
 */
function createTimeline(clock: () => number): (systemTime?: number) => number {
  const jumps: { readonly from: number; readonly ahead: number }[] = [];
  return function timeOf(systemTime) {
    const from = Date.now();
    const ahead = clock() - from;
    if (Math.abs(ahead - (jumps.at(-1)?.ahead ?? 0)) > toleranceMilliseconds) jumps.push({ from, ahead });
    // Without a time, the moment of a jump that this reading has noticed.
    const at = systemTime ?? from;
    return at + (jumps.findLast((jump) => jump.from <= at)?.ahead ?? 0);
  };
}

/** Two readings of one clock may be apart by this much. */
const toleranceMilliseconds = 500;
