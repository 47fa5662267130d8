/** One Ctrl-C can arrive twice, from the terminal and from npm; only a later one counts as a second. */
const sameKeyPressMilliseconds = 500;
const parentCheckMilliseconds = 500;

/** Aborts on the first Ctrl-C or SIGTERM, after `onStopping`. A second one ends the process at once. */
export function stopSignal(onStopping: () => void): AbortSignal {
  const stopping = new AbortController();
  let firstAt: number | undefined;
  function receive(): void {
    if (firstAt === undefined) {
      firstAt = performance.now();
      onStopping();
      stopping.abort();
    } else if (performance.now() - firstAt > sameKeyPressMilliseconds) {
      process.exit(130);
    }
  }
  process.on('SIGINT', receive).on('SIGTERM', receive);
  if (process.env['npm_lifecycle_event'] !== undefined) onParentExit(receive);
  return stopping.signal;
}

/** npm sends SIGTERM to the shell that runs the script, and the shell does not pass it on. */
function onParentExit(act: () => void): void {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    act();
  }, parentCheckMilliseconds);
  check.unref();
}
