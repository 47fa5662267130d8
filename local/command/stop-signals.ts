/** One Ctrl-C can arrive twice, from the terminal and from npm; only a later signal is a second request. */
const sameKeyPressMilliseconds = 500;
const parentCheckMilliseconds = 500;

/**
 * A signal that aborts on the first Ctrl-C or SIGTERM, after `onStopping` was called. A second one ends the
 * process at once, with the exit code that shells use for an interrupted command.
 */
export function onStopSignals(onStopping: () => void): AbortSignal {
  const stopping = new AbortController();
  let first: number | undefined;
  const stop = (): void => {
    if (first === undefined) {
      first = performance.now();
      onStopping();
      stopping.abort();
    } else if (performance.now() - first > sameKeyPressMilliseconds) {
      process.exit(130);
    }
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  if (process.env['npm_lifecycle_event'] !== undefined) onParentExit(stop);
  return stopping.signal;
}

/**
 * npm passes a SIGTERM to the shell that runs the script, and the shell exits without passing it on: this
 * process would keep running and hold its port.
 */
function onParentExit(act: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    act();
  }, parentCheckMilliseconds);
  check.unref();
}
