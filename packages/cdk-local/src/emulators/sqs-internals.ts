/**
 * What local mode touches inside fauxqs 2.4.1. The package exports its app only, so its modules are imported
 * by file, and the version is pinned exactly.
 */
export interface Message {
  messageId: string;
  sentTimestamp: number;
  approximateReceiveCount: number;
  approximateFirstReceiveTimestamp?: number | undefined;
}

export interface Queue {
  url: string;
  readonly arn: string;
  readonly attributes: Readonly<Record<string, string>>;
  messages: Message[];
  readonly inflightMessages: ReadonlyMap<string, { visibilityDeadline: number }>;
  persistence?: Persistence;
  enqueue(message: Message): void;
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

export interface QueueStores {
  readonly sqsStore: QueueStore;
  readonly snsStore: { persistence?: Persistence };
  readonly s3Store: object;
}

export interface Persistence {
  readonly db: { exec(sql: string): void };
  loadSqsAndSns(queues: QueueStore, topics: object): void;
  transaction(work: () => void): void;
  deleteMessage(messageId: string): void;
  close(): void;
}

export interface SqsErrorClass {
  new (code: string, message: string): Error;
  prototype: { code: string; queryCode: string; senderFault: boolean };
}

interface Dequeueing {
  dequeue(this: Queue, ...request: unknown[]): unknown[];
}

export interface Internals {
  readonly SqsError: SqsErrorClass;
  readonly SqsQueue: { prototype: Dequeueing };
  /** `test` is what fauxqs calls on every body. */
  readonly invalidBodyCharacters: { test(body: string): boolean };
}

async function file<T>(path: string): Promise<T> {
  return (await import(new URL(path, import.meta.resolve('fauxqs')).href)) as T;
}

export async function loadInternals(): Promise<Internals> {
  const [errors, types, store] = await Promise.all([
    file<{ SqsError: SqsErrorClass }>('common/errors.js'),
    file<{ INVALID_MESSAGE_BODY_CHAR: RegExp }>('sqs/sqsTypes.js'),
    file<{ SqsQueue: { prototype: Dequeueing } }>('sqs/sqsStore.js'),
  ]);
  return {
    SqsError: errors.SqsError,
    SqsQueue: store.SqsQueue,
    invalidBodyCharacters: types.INVALID_MESSAGE_BODY_CHAR,
  };
}

/** Empty stores and, with a directory, the SQLite file behind them. */
export async function createPersistence(
  directory: string | undefined,
): Promise<{ stores: QueueStores; persistence?: Persistence }> {
  const [sqs, sns, s3, sqlite] = await Promise.all([
    file<{ SqsStore: new () => QueueStore }>('sqs/sqsStore.js'),
    file<{ SnsStore: new () => object }>('sns/snsStore.js'),
    file<{ S3Store: new () => object }>('s3/s3Store.js'),
    file<{ PersistenceManager: new (path: string) => Persistence }>('persistence.js'),
  ]);
  const stores = { sqsStore: new sqs.SqsStore(), snsStore: new sns.SnsStore(), s3Store: new s3.S3Store() };
  if (directory === undefined) return { stores };
  const persistence = new sqlite.PersistenceManager(directory);
  // Every commit reaches the operating system, which is what `kill -9` cannot undo. A disk flush for each
  // message would only add the power cut, and stop the whole process for milliseconds each time.
  persistence.db.exec('PRAGMA synchronous = NORMAL');
  return { stores, persistence };
}
