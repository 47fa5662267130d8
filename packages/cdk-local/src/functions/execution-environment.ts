import { randomUUID } from 'node:crypto';
import type { Invocation } from './invocation.ts';
import { type FunctionSettings, startThread } from './thread.ts';

/** As in Lambda: an environment has ten seconds to load its handler. */
const startMillisecondsMax = 10_000;

/** One copy of a function, with memory of its own. It serves one invocation at a time. */
export interface ExecutionEnvironment {
  /** How loading the handler went; after a failure the environment is of no more use. */
  readonly started: Promise<Invocation>;
  readonly alive: boolean;
  /** Never rejects. */
  invoke(event: unknown): Promise<Invocation>;
  stop(): Promise<void>;
}

export function startEnvironment(settings: FunctionSettings): ExecutionEnvironment {
  const { timeoutSeconds } = settings.model;
  const thread = startThread(settings);
  const starting = thread.next('start', {
    milliseconds: startMillisecondsMax,
    message: `The handler was not loaded after ${startMillisecondsMax / 1000} seconds`,
  });
  const started = starting.then(async (outcome) => {
    if (!outcome.ok) await thread.end();
    return outcome;
  });
  return {
    started,
    get alive() {
      return thread.alive;
    },
    async invoke(event) {
      const start = await started;
      if (!start.ok) return start;
      if (!thread.alive) {
        return { ok: false, errorType: 'Runtime.ExitError', errorMessage: 'The runtime has exited' };
      }
      const requestId = randomUUID();
      const milliseconds = timeoutSeconds * 1000;
      const outcome = thread.next('request', {
        milliseconds,
        message: `RequestId: ${requestId} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
      });
      thread.send({ requestId, event: JSON.stringify(event), deadline: Date.now() + milliseconds });
      return outcome;
    },
    stop: () => thread.end(),
  };
}
