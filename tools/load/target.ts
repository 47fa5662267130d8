import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');

/** Local mode, in a process of its own. */
export interface Target {
  readonly baseUrl: string;
  readonly signatureHeader: string;
  readonly privateKey: string;
  /** What the process occupies in memory. */
  memoryBytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts what `npm start -- --no-demo` runs, on free ports; npm's own process is left out. */
export async function startTarget(): Promise<Target> {
  const privateKey = `pri_${randomBytes(24).toString('hex')}`;
  const node = ['-r', './bin/compile-cache.cjs', '--conditions=payhooks-source', 'local/start.ts'];
  const flags = ['--no-demo', '--port', '0', '--service-port', '0', '--private-key', privateKey];
  const child = spawn(process.execPath, [...node, ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  try {
    const overview = await readOverview(child);
    const [, baseUrl = ''] = /^ready (\S+)$/m.exec(overview) ?? [];
    const [, signatureHeader = ''] = /signed in the header (\S+)$/m.exec(overview) ?? [];
    return { baseUrl, signatureHeader, privateKey, memoryBytes: () => memoryOf(child), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The first lines of the output. The rest is read and thrown away, so that nothing waits for a reader. */
async function readOverview({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  stdout?.setEncoding('utf8');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  stdout?.on('end', () => reject(new Error(`Local mode ended early:\n${text}`)));
  stdout?.on('data', function take(chunk: string) {
    text += chunk;
    if (!/^ready \S+\n[\s\S]*^ {2}data .*\n/m.test(text)) return;
    stdout.off('data', take).resume();
    resolve(text);
  });
  return promise;
}

/** Resident memory in the unit of `ps`, which Linux and macOS have. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) * 1_024;
}
