import { heartbeatIntervalMinutes } from '../../lambdas/contract/heartbeat.ts';
import type { Clock } from './clock.ts';
import type { BusMessage } from './history.ts';
import type { Functions } from './lambda/functions.ts';
import type { Recorder } from './recorder.ts';

const minute = 60_000;
/** EventBridge invokes the target of a rule again for so long. */
const retryMilliseconds = heartbeatIntervalMinutes * minute;
const attemptPauseMilliseconds = 20_000;

interface HeartbeatParts {
  readonly clock: Clock;
  readonly functions: Pick<Functions, 'invoke'>;
}

export const isHeartbeat = ({ source }: Pick<BusMessage, 'source'>): boolean =>
  source === 'payhooks.heartbeat';

/** A heartbeat every minute, more often than deployed. Returns the function that ends them. */
export function startHeartbeats({
  clock,
  functions,
  recorder,
}: HeartbeatParts & { readonly recorder: Recorder }): () => void {
  let isRunning = true;
  async function run(): Promise<void> {
    while (isRunning) {
      recorder.count('heartbeats');
      void functions.invoke('heartbeat', {});
      await clock.pause(minute);
    }
  }
  void run();
  return () => {
    isRunning = false;
  };
}

/** The rule of the bus that returns a heartbeat to its function. */
export async function returnHeartbeat(
  { clock, functions }: HeartbeatParts,
  { source, detailType, detail }: BusMessage,
): Promise<void> {
  const event = { source, 'detail-type': detailType, detail: JSON.parse(detail) };
  const until = clock.now() + retryMilliseconds;
  while (clock.now() < until) {
    if ((await functions.invoke('heartbeat', event)).kind === 'returned') return;
    await clock.pause(attemptPauseMilliseconds);
  }
}
