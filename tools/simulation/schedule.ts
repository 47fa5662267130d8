import type { World } from './world.ts';

const minute = 60_000;

/**
 * What AWS does by itself: the schedule of the waiting count, the metrics of queues and functions once a
 * minute, and the deletion of rows whose time has passed. Returns the function that ends it.
 */
export function startSchedule(world: World): () => void {
  const { clock, functions, recorder } = world;
  let isRunning = true;

  async function countWaiting(): Promise<void> {
    const { ok } = await functions.invoke('waiting-count', {});
    if (!ok) recorder.count('waiting_count_failed');
  }

  async function run(): Promise<void> {
    while (isRunning) {
      await clock.pause(minute);
      if (!isRunning) return;
      void countWaiting();
      measure(world);
      await world.dynamoDb.expire();
    }
  }
  void run();
  return () => {
    isRunning = false;
  };
}

/** The metrics that CloudWatch has from AWS itself, under AWS's own names. */
export function measure({ clock, recorder, queues, feed }: World): void {
  const at = clock.now();
  const add = (from: string, name: string, value: number): void =>
    void recorder.metrics.push({ at, from, name, value });
  for (const [name, queue] of Object.entries(queues)) {
    const messages = queue.messages();
    const oldest = Math.min(at, ...messages.map(({ sentAt }) => sentAt));
    add(name, 'ApproximateNumberOfMessagesVisible', queue.visibleCount());
    add(name, 'ApproximateAgeOfOldestMessage', (at - oldest) / 1_000);
  }
  add('order-feed', 'IteratorAge', feed.iteratorAge());
}
