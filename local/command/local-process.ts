import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export type LocalProcess = Awaited<ReturnType<typeof startLocalMode>>;

/**
 * For tools and tests: local mode in a process of its own on free ports, as `npm start` runs it. Resolves at
 * the line `ready`. `end` kills the process, also while it starts.
 */
export async function startLocalMode(flags: readonly string[], end?: AbortSignal) {
  const node = ['-r', './bin/compile-cache.cjs', 'local/start.ts'];
  const given = ['--port', '0', '--service-port', '0', ...flags];
  const child = spawn(process.execPath, [...node, ...given], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  end?.addEventListener('abort', () => child.kill('SIGKILL'), { once: true });
  let output = '';
  let read = (): void => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      read();
    });
  const ended = once(child, 'close') as Promise<[number | null]>;
  /** What was printed, once it has this. */
  const printed = async (pattern: RegExp): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    read = () => pattern.test(output) && resolve(output);
    read();
    ended.then(() => reject(new Error(`Local mode ended early:\n${output}`)));
    return promise;
  };
  const [, baseUrl = ''] = /^ready (\S+)$/m.exec(await printed(/^ready \S+$/m)) ?? [];
  return {
    ...{ baseUrl, pid: child.pid ?? 0, printed, output: () => output },
    /** Resolves with the exit code. */
    async kill(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
