/**
 * Everything that relies on the inside of fauxqs 2.4.1, which exports its app only, so that its modules are
 * imported by file:
 * - its stores are created here, because its own server listens on every interface;
 * - kept queues get the port of this run, and messages in flight become visible: their receiver has died;
 * - error codes lose the prefix that SQS does not send, which the SDK needs to make its exceptions;
 * - bodies may hold every character that SQS accepts, also emoji;
 * - a move to the dead-letter queue is one transaction, so that a kill in between does not lose the message;
 * - a kept message can be made visible again, where fauxqs clears a column that must have a value.
 * The version is pinned, and a test fails when another one is installed: check each of these then.
 */
import { randomUUID } from 'node:crypto';

interface Message {
  messageId: string;
  sentTimestamp: number;
  approximateReceiveCount: number;
  approximateFirstReceiveTimestamp?: number | undefined;
}

export interface Queue {
  url: string;
  readonly attributes: Readonly<Record<string, string>>;
  messages: Message[];
  readonly inflightMessages: ReadonlyMap<string, { message: Message; visibilityDeadline: number }>;
  persistence?: Persistence;
  enqueue(message: Message): void;
  dequeue(...request: unknown[]): unknown[];
}

export interface QueueStore {
  host: string;
  persistence?: Persistence;
  readonly queues: Map<string, Queue>;
  allQueues(): Iterable<Queue>;
  getQueueByArn(arn: string): Queue | undefined;
  /** Ends all long polls. */
  shutdown(): void;
}

interface Persistence {
  readonly db: { exec(sql: string): void; prepare(sql: string): { run(...values: string[]): void } };
  loadSqsAndSns(queues: QueueStore, topics: object): void;
  transaction(work: () => void): void;
  deleteMessage(messageId: string): void;
  updateMessageReady(messageId: string): void;
  close(): void;
}

export interface Stores {
  readonly sqsStore: QueueStore;
  readonly snsStore: { persistence?: Persistence };
  readonly s3Store: object;
}

interface Modules {
  readonly SqsError: { readonly prototype: object };
  readonly INVALID_MESSAGE_BODY_CHAR: { test(body: string): boolean };
  readonly SqsQueue: { prototype: Queue };
  readonly SqsStore: new () => QueueStore;
  readonly SnsStore: new () => Stores['snsStore'];
  readonly S3Store: new () => object;
  readonly PersistenceManager: { new (path: string): Persistence; prototype: Persistence };
}

const files = ['common/errors.js', 'sqs/sqsTypes.js', 'sqs/sqsStore.js', 'sns/snsStore.js', 's3/s3Store.js'];

async function importModules(): Promise<Modules> {
  const urls = [...files, 'persistence.js'].map((file) => new URL(file, import.meta.resolve('fauxqs')).href);
  const modules = Object.assign({}, ...(await Promise.all(urls.map((url) => import(url))))) as Modules;
  patch(modules);
  return modules;
}

let loaded: Promise<Modules> | undefined;

/** fauxqs' modules, patched once for the process. */
function loadFauxqs(): Promise<Modules> {
  loaded ??= importModules();
  return loaded;
}

/** The codes that SQS sends with the prefix; fauxqs adds it to all of them. */
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

/** SQS accepts the characters of XML 1.0; fauxqs tests UTF-16 units and so refuses every emoji. */
const refusedCharacters = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

function patch({ SqsError, SqsQueue, INVALID_MESSAGE_BODY_CHAR, PersistenceManager }: Modules): void {
  PersistenceManager.prototype.updateMessageReady = function (this: Persistence, messageId) {
    const ready = 'UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL';
    this.db.prepare(`${ready} WHERE message_id = ?`).run(messageId);
  };
  INVALID_MESSAGE_BODY_CHAR.test = (body) => refusedCharacters.test(body);
  Object.defineProperty(SqsError.prototype, 'queryErrorHeader', {
    get(this: { queryCode: string; senderFault: boolean }): string {
      const code = this.queryCode === 'QueueNameExists' ? 'QueueAlreadyExists' : this.queryCode;
      const prefix = prefixedCodes.has(code) ? 'AWS.SimpleQueueService.' : '';
      return `${prefix}${code};${this.senderFault ? 'Sender' : 'Receiver'}`;
    },
  });
  const { dequeue } = SqsQueue.prototype;
  SqsQueue.prototype.dequeue = function (this: Queue, ...request) {
    return inTransaction(this.persistence, () => dequeue.apply(this, request));
  };
}

function inTransaction<T>(persistence: Persistence | undefined, work: () => T): T {
  if (persistence === undefined) return work();
  const results: T[] = [];
  persistence.transaction(() => {
    results.push(work());
  });
  return results[0] as T;
}

/** The stores of fauxqs, in memory or kept in `directory`. */
export async function openStores(directory: string | undefined): Promise<Stores & { close(): void }> {
  const { SqsStore, SnsStore, S3Store, PersistenceManager } = await loadFauxqs();
  const [sqsStore, snsStore, s3Store] = [new SqsStore(), new SnsStore(), new S3Store()];
  // An empty host makes fauxqs build queue URLs from the address that the client used.
  sqsStore.host = '';
  if (directory === undefined) return { sqsStore, snsStore, s3Store, close() {} };
  const persistence = new PersistenceManager(directory);
  // Every commit reaches the operating system, which is what `kill -9` cannot undo. A flush to the disk for
  // each message would only add the power cut, and stop the whole process for milliseconds each time.
  persistence.db.exec('PRAGMA synchronous = NORMAL');
  persistence.loadSqsAndSns(sqsStore, snsStore);
  // Only after loading: fauxqs would write every loaded queue again, and drop its messages with the old row.
  sqsStore.persistence = persistence;
  snsStore.persistence = persistence;
  for (const queue of sqsStore.allQueues()) {
    queue.persistence = persistence;
    for (const received of queue.inflightMessages.values()) received.visibilityDeadline = 0;
  }
  return { sqsStore, snsStore, s3Store, close: () => persistence.close() };
}

/** A queue that was kept from an earlier run has that run's port in its URL. */
export function moveQueuesTo(endpoint: string, store: QueueStore): void {
  for (const queue of [...store.allQueues()]) {
    store.queues.delete(queue.url);
    queue.url = `${endpoint}${new URL(queue.url).pathname}`;
    store.queues.set(queue.url, queue);
  }
}

/** Moves the oldest messages; SQS makes a new message of each, with another id and no receives. */
export function moveMessages(from: Queue, to: Queue, messagesMax: number): number {
  const moving = from.messages.splice(0, messagesMax);
  inTransaction(from.persistence, () => {
    for (const message of moving) {
      from.persistence?.deleteMessage(message.messageId);
      const fresh = { approximateReceiveCount: 0, approximateFirstReceiveTimestamp: undefined };
      to.enqueue({ ...message, ...fresh, messageId: randomUUID(), sentTimestamp: Date.now() });
    }
  });
  return moving.length;
}
