import { createHeartbeats } from './heartbeats.ts';
import { createRetries } from './retries.ts';

/** What commands read from CloudWatch on AWS, taken from the lines of the functions here. */
export function createLogViews(clock: () => number) {
  const retries = createRetries();
  const heartbeats = createHeartbeats(clock);
  return {
    onLine(line: string): void {
      retries.onLine(line);
      heartbeats.onLine(line);
    },
    views: { '/retries': retries.list, '/heartbeat': heartbeats.view },
  };
}
