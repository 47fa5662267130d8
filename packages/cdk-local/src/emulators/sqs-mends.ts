import { loadInternals } from './sqs-internals.ts';

/**
 * Error codes that carry the prefix in SQS itself; fauxqs puts it
 * before all of them, and the SDK's classes miss.
 */
const prefixedCodes = new Set([
  'BatchEntryIdsNotDistinct',
  'BatchRequestTooLong',
  'EmptyBatchRequest',
  'InvalidBatchEntryId',
  'MessageNotInflight',
  'NonExistentQueue',
  'PurgeQueueInProgress',
  'QueueDeletedRecently',
  'TooManyEntriesInBatchRequest',
  'UnsupportedOperation',
]);

/** XML 1.0 characters, which is what SQS takes; fauxqs tests UTF-16 units and so refuses every emoji. */
const refusedCharacters = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

let mended: Promise<void> | undefined;

/** Mends fauxqs' classes in place, once for the process. */
export function mendFauxqs(): Promise<void> {
  mended ??= mend();
  return mended;
}

async function mend(): Promise<void> {
  const { SqsError, SqsQueue, invalidBodyCharacters } = await loadInternals();
  invalidBodyCharacters.test = (body) => refusedCharacters.test(body);
  Object.defineProperty(SqsError.prototype, 'queryErrorHeader', {
    get(this: { queryCode: string; senderFault: boolean }): string {
      const code = this.queryCode === 'QueueNameExists' ? 'QueueAlreadyExists' : this.queryCode;
      const prefix = prefixedCodes.has(code) ? 'AWS.SimpleQueueService.' : '';
      return `${prefix}${code};${this.senderFault ? 'Sender' : 'Receiver'}`;
    },
  });
  const { dequeue } = SqsQueue.prototype;
  SqsQueue.prototype.dequeue = function (...request) {
    if (this.persistence === undefined) return dequeue.apply(this, request);
    // A move to the dead-letter queue is a delete and an insert: a kill
    // between the two would lose the message.
    let messages: unknown[] = [];
    this.persistence.transaction(() => {
      messages = dequeue.apply(this, request);
    });
    return messages;
  };
}
