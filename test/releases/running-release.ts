import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface RunningRelease {
  readonly baseUrl: string;
  /** Lets what is in flight finish. */
  stop(): Promise<void>;
}

export interface ReleaseRun {
  /** A checkout of the release. */
  readonly folder: string;
  readonly dataDirectory: string;
  readonly privateKey: string;
  readonly sandboxKey: string;
}

/** Local mode of a release, as `npm start` runs it, on a free port. */
export async function runRelease({ folder, ...run }: ReleaseRun): Promise<RunningRelease> {
  const keys = ['--private-key', run.privateKey, '--sandbox-key', run.sandboxKey];
  const flags = ['--port', '0', '--no-demo', '--data-dir', run.dataDirectory, ...keys];
  const child = spawn(process.execPath, [join(folder, 'local', 'start.ts'), ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const baseUrl = await readyUrl(child);
  if (baseUrl === undefined) throw new Error(`Local mode of ${folder} ended before it was ready.`);
  return {
    baseUrl,
    async stop() {
      child.kill('SIGINT');
      await exited;
    },
  };
}

async function readyUrl({ stdout }: ChildProcess): Promise<string | undefined> {
  if (stdout === null) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^ready (http:\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    stdout.resume();
    return url;
  }
  return undefined;
}
