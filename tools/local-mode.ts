import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Local mode in a process of its own on free ports, as `npm start` runs it. */
export async function startLocalMode(...flags: readonly string[]) {
  const node = ['-r', './bin/compile-cache.cjs', '--conditions=payhooks-source', 'local/start.ts'];
  const given = ['--port', '0', '--service-port', '0', ...flags];
  const child = spawn(process.execPath, [...node, ...given], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let read = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    read();
  });
  const ended = once(child, 'exit');
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
    ...{ baseUrl, pid: child.pid ?? 0, printed },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
