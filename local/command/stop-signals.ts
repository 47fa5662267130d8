/** One Ctrl-C can arrive twice, from the terminal and again from npm; only a later one is a second wish. */
const sameKeyPressMilliseconds = 500;
const parentCheckMilliseconds = 500;

/**
 * A signal that aborts on the first Ctrl-C or SIGTERM, after `onStopping` was called. A second one ends the
 * process at once, with the exit code that shells give an interrupted command.
 */
export function onStopSignals(onStopping: () => void): AbortSignal {
  const stopping = new AbortController();
  let first: number | undefined;
  const receive = (): void => {
    if (first === undefined) {
      first = performance.now();
      onStopping();
      stopping.abort();
    } else if (performance.now() - first > sameKeyPressMilliseconds) {
      process.exit(130);
    }
  };
  process.on('SIGINT', receive).on('SIGTERM', receive);
  if (process.env['npm_lifecycle_event'] !== undefined) onParentGone(() => receive());
  return stopping.signal;
}

/**
 * `npm start` hands a SIGTERM to the shell that it runs a script in, which ends and tells nobody: this
 * process would go on alone and hold its port.
 */
function onParentGone(act: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    act();
  }, parentCheckMilliseconds);
  check.unref();
}
