import { type BuildAppOptions, buildApp } from 'fauxqs';
import { region } from '../account.ts';
import { loopback } from '../loopback.ts';
import { interrupt } from './faults.ts';
import { moveQueuesTo, openStores } from './fauxqs.ts';
import { addMoveTasks } from './move-tasks.ts';
import { countMessages } from './queue-metrics.ts';

export type SqsEmulator = Awaited<ReturnType<typeof startSqs>>;

/**
 * Starts fauxqs on a free loopback port, in memory or kept in `directory`, and adds message move tasks. The
 * ages of messages go by the clock.
 */
export async function startSqs(directory?: string, clock: () => number = Date.now) {
  const stores = await openStores(directory);
  const app = buildApp({
    logger: false,
    defaultRegion: region,
    stores: stores as unknown as NonNullable<BuildAppOptions['stores']>,
  });
  const endMoveTasks = addMoveTasks(app.server, stores.sqsStore);
  const metrics = countMessages(app, stores.sqsStore, clock);
  const fail = interrupt(app.server);
  const endpoint = await app.listen({ port: 0, host: loopback });
  moveQueuesTo(endpoint, stores.sqsStore);
  return {
    ...{ endpoint, fail, metrics },
    /** Ends every waiting long poll now, so that a poller which stops leaves no open receive. */
    endPolls: () => stores.sqsStore.shutdown(),
    async close() {
      endMoveTasks();
      await app.close();
      stores.close();
    },
  };
}
