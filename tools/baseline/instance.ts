import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface FunctionCode {
  /** The bundle; `.mjs` is imported, anything else required, as Lambda does. */
  readonly file: string;
  /** All of `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What a new process used, in milliseconds of CPU time, and returned. */
export interface Run {
  readonly loadMilliseconds: number;
  readonly calls: readonly { readonly milliseconds: number; readonly response: unknown }[];
  readonly loadsUndici: boolean;
  readonly logBytes: number;
}

/** Loads a function in a new process and invokes it with each event in turn, the first time cold. */
export async function runInstance(code: FunctionCode, events: readonly object[]): Promise<Run> {
  const instance = join(import.meta.dirname, 'instance.mjs');
  const child = spawn(process.execPath, ['--no-warnings', instance], {
    env: code.environment,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify({ file: code.file, events }));
  const outputs = [child.stdout, child.stderr, child.stdio[3] as Readable].map((output) => text(output));
  const [log = '', errors = '', report = ''] = await Promise.all(outputs);
  if (report === '') throw new Error(`${code.file} did not finish:\n${errors}${log}`);
  return { ...JSON.parse(report), logBytes: Buffer.byteLength(log + errors) };
}
