import { spawn } from 'node:child_process';

const programs: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'open',
  win32: 'explorer',
};

/** Opens an address in the operator's browser; resolves with whether a program for it was found. */
export async function openBrowser(url: string): Promise<boolean> {
  const program = programs[process.platform] ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false));
  });
}
