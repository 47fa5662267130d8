import { spawn } from 'node:child_process';

const programs: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'open',
  win32: 'explorer',
};

/** How long a program may take to find no browser; one that found a browser may go on for hours. */
const patienceMilliseconds = 1_000;

/** Opens an address in the operator's browser; resolves with whether it may have found one. */
export async function openBrowser(url: string): Promise<boolean> {
  const program = programs[process.platform] ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.unref();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), patienceMilliseconds);
  child.once('error', () => resolve(false));
  // Explorer ends with 1 in any case.
  child.once('exit', (code) => resolve(code === 0 || program === 'explorer'));
  const isOpened = await promise;
  clearTimeout(timer);
  return isOpened;
}
