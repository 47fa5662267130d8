import { type BuildAppOptions, buildApp } from 'fauxqs';
import { loopback, region } from './account.ts';
import type { Emulator } from './dynamodb.ts';
import { createPersistence, type Persistence, type QueueStores } from './sqs-internals.ts';
import { mendFauxqs } from './sqs-mends.ts';
import { answerMoveTasks } from './sqs-move-tasks.ts';

export interface SqsEmulator extends Emulator {
  /** Answers every waiting long poll now, so that a poller which stops leaves no receiver behind. */
  endPolls(): void;
}

/**
 * Starts fauxqs on a free loopback port, in memory or kept in `directory`. fauxqs'
 * own server listens on every interface and gives out queue URLs of a host that
 * does not resolve, so the app is built and mended here.
 */
export async function startSqs(directory?: string): Promise<SqsEmulator> {
  await mendFauxqs();
  const { stores, persistence } = await openStores(directory);
  const { sqsStore } = stores;
  // An empty host makes fauxqs build queue URLs from the address that the client used.
  sqsStore.host = '';
  const app = buildApp({
    logger: false,
    defaultRegion: region,
    stores: stores as unknown as NonNullable<BuildAppOptions['stores']>,
  });
  answerMoveTasks(app, sqsStore);
  const endpoint = await app.listen({ port: 0, host: loopback });
  rehome(sqsStore, endpoint);
  return {
    endpoint,
    endPolls: () => sqsStore.shutdown(),
    async close() {
      await app.close();
      persistence?.close();
    },
  };
}

async function openStores(
  directory: string | undefined,
): Promise<{ stores: QueueStores; persistence?: Persistence }> {
  const { stores, persistence } = await createPersistence(directory);
  if (persistence === undefined) return { stores };
  const { sqsStore, snsStore } = stores;
  persistence.loadSqsAndSns(sqsStore, snsStore);
  // Only after loading: fauxqs would write every loaded queue again, and drop its messages with the old row.
  sqsStore.persistence = persistence;
  snsStore.persistence = persistence;
  for (const queue of sqsStore.allQueues()) {
    queue.persistence = persistence;
    // Whoever had received these died with the process that held this
    // folder: no need to wait for the timeout.
    for (const received of queue.inflightMessages.values()) received.visibilityDeadline = 0;
  }
  return { stores, persistence };
}

/** A queue that was kept from an earlier run has that run's port in its URL. */
function rehome(store: QueueStores['sqsStore'], endpoint: string): void {
  for (const queue of [...store.allQueues()]) {
    store.queues.delete(queue.url);
    queue.url = `${endpoint}${new URL(queue.url).pathname}`;
    store.queues.set(queue.url, queue);
  }
}
