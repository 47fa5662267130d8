import { randomUUID } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { FunctionModel } from '../template/resources.ts';
import { failure, type Invocation, type Report, type Request, type ThreadData } from './invocation.ts';
import { createLineReader } from './lines.ts';

/** With V8's default a thread has little room for new objects, and collects garbage all the time. */
const newObjectsMegabytes = 32;

/** Lambda's limit for loading a handler. */
const startMillisecondsMax = 10_000;

export interface FunctionSettings {
  readonly model: FunctionModel;
  /** All of the function's `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Receives what the function writes to its standard output and error, line by line. */
  readonly onLine: (line: string) => void;
}

export type ExecutionEnvironment = ReturnType<typeof startEnvironment>;

/** One copy of a function, with its own memory. It serves one invocation at a time. */
export function startEnvironment({ model, environment, onLine }: FunctionSettings) {
  const { timeoutSeconds } = model;
  const unread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL('./bootstrap.mjs', import.meta.url), {
    name: model.name,
    workerData: { model, unread } satisfies ThreadData,
    env: environment,
    // A function on AWS does not see the arguments of this process.
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: model.memoryMegabytes,
      maxYoungGenerationSizeMb: newObjectsMegabytes,
    },
  });
  const output = { stdout: createLineReader(onLine), stderr: createLineReader(onLine) };
  let alive = true;
  let settle = (_: Invocation): void => {};
  const end = (outcome: Invocation): void => {
    alive = false;
    settle(outcome);
  };
  // At all times: an error without a listener would end this process.
  worker.on('error', (error) => end(failure(error)));
  worker.on('exit', (code) => {
    end(failed('Runtime.ExitError', `The runtime exited with code ${code}`));
    for (const reader of Object.values(output)) reader.end();
  });
  worker.on('message', (report: Report) => {
    if (report.about === 'outcome') {
      settle(report.outcome);
      return;
    }
    output[report.stream].add(report.text);
    Atomics.sub(unread, 0, report.text.length);
    Atomics.notify(unread, 0);
  });
  const stop = async (): Promise<void> => {
    alive = false;
    await worker.terminate();
  };
  /** The next outcome, or a failure when the thread ends or the time is up before. */
  const nextOutcome = (milliseconds: number, message: string): Promise<Invocation> => {
    const { promise, resolve } = Promise.withResolvers<Invocation>();
    const timer = setTimeout(() => {
      void stop();
      settle(failed('Sandbox.Timedout', message));
    }, milliseconds);
    settle = (outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    return promise;
  };
  const started = nextOutcome(
    startMillisecondsMax,
    `The handler was not loaded after ${startMillisecondsMax / 1000} seconds`,
  ).then(async (outcome) => {
    if (!outcome.ok) await stop();
    return outcome;
  });
  return {
    /** The outcome of loading the handler; after a failure the environment is of no more use. */
    started,
    /** `false` once the thread has ended or is about to. */
    get alive(): boolean {
      return alive;
    },
    /** Never rejects. */
    async invoke(event: unknown): Promise<Invocation> {
      const start = await started;
      if (!start.ok) return start;
      if (!alive) return failed('Runtime.ExitError', 'The runtime has exited');
      const requestId = randomUUID();
      const milliseconds = timeoutSeconds * 1000;
      const timedOut = `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`;
      const outcome = nextOutcome(milliseconds, `RequestId: ${requestId} Error: ${timedOut}`);
      const deadline = Date.now() + milliseconds;
      worker.postMessage({ requestId, event: JSON.stringify(event), deadline } satisfies Request);
      return outcome;
    },
    stop,
  };
}

function failed(errorType: string, errorMessage: string): Invocation {
  return { ok: false, errorType, errorMessage };
}
