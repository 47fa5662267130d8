import { Worker } from 'node:worker_threads';
import type { FunctionModel } from '../template/model.ts';
import { failure, type Invocation, type Report, type Request, type Start } from './invocation.ts';
import { readLines } from './lines.ts';

export interface FunctionSettings {
  readonly model: FunctionModel;
  /** All of the function's `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Takes what the function writes to its standard output and error, line by line. */
  readonly onLine: (line: string) => void;
}

export interface TimeLimit {
  readonly milliseconds: number;
  /** The error message when the time is up. */
  readonly message: string;
}

/** The thread of one execution environment. */
export interface Thread {
  /** `false` once the thread has ended or is about to. */
  readonly alive: boolean;
  send(request: Request): void;
  /** The thread's next report, or a failure when it ends first; when the time is up, it is ended. */
  next(about: Report['about'], limit: TimeLimit): Promise<Invocation>;
  end(): Promise<void>;
}

export function startThread({ model, environment, onLine }: FunctionSettings): Thread {
  const worker = new Worker(new URL('./bootstrap.ts', import.meta.url), {
    name: model.name,
    workerData: {
      codeDirectory: model.codeDirectory,
      handler: model.handler,
      functionName: model.name,
      functionArn: model.arn,
      memoryMegabytes: model.memoryMegabytes,
    } satisfies Start,
    env: environment,
    // What this process was started with is nothing that a function in AWS could see.
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: model.memoryMegabytes },
  });
  readLines(worker.stdout, onLine);
  readLines(worker.stderr, onLine);
  let alive = true;
  const over = (): void => {
    alive = false;
  };
  // Also while nobody waits for a report: an error without a listener would end this process.
  worker.on('error', over).on('exit', over);
  const end = async (): Promise<void> => {
    over();
    await worker.terminate();
  };
  return {
    get alive() {
      return alive;
    },
    send: (request) => worker.postMessage(request),
    next: (about, limit) => nextReport(worker, about, { ...limit, onTimeUp: () => void end() }),
    end,
  };
}

function nextReport(
  worker: Worker,
  about: Report['about'],
  limit: TimeLimit & { readonly onTimeUp: () => void },
): Promise<Invocation> {
  return new Promise((resolve) => {
    const settle = (outcome: Invocation): void => {
      clearTimeout(timer);
      worker.off('message', onReport).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const fail = (errorType: string, errorMessage: string): void =>
      settle({ ok: false, errorType, errorMessage });
    const onReport = (report: Report): void => {
      if (report.about === about) settle(report.outcome);
    };
    const onError = (error: unknown): void => settle(failure(error));
    const onExit = (code: number): void => fail('Runtime.ExitError', `The runtime exited with code ${code}`);
    const timer = setTimeout(() => {
      limit.onTimeUp();
      fail('Sandbox.Timedout', limit.message);
    }, limit.milliseconds);
    worker.on('message', onReport).on('error', onError).on('exit', onExit);
  });
}
