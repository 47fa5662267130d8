import type { ExitCode } from '../operator/operator-error.ts';

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const satisfies Readonly<
  Partial<Record<NodeJS.Signals, ExitCode>>
>;
/** For a request without pages; to repeat it is safe. */
const stoppedText = 'Stopped. The last request may have been carried out: to see, run the command again.';
const names = Object.keys(codes) as (keyof typeof codes)[];

/** Ends a run after a signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** A command that has something to end when Ctrl-C or another signal ends it. */
export interface Stop extends Disposable {
  /** Aborts with an `InterruptedError` at the first signal; later ones change nothing. */
  readonly signal: AbortSignal;
  /** The exit code of a process that the signal ended; `undefined` before the first one. */
  exitCode(): ExitCode | undefined;
}

/** Takes the place of the default, which ends the process at once, until it is disposed of. */
export function takeStopSignals(): Stop {
  const abort = new AbortController();
  let code: ExitCode | undefined;
  const stop = (name: NodeJS.Signals): void => {
    code ??= codes[name as keyof typeof codes];
    abort.abort(new InterruptedError(stoppedText));
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: abort.signal,
    exitCode: () => code,
    [Symbol.dispose]() {
      for (const name of names) process.off(name, stop);
    },
  };
}
