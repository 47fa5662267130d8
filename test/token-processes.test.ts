import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure } from '@payhooks/cdk-local/emulators';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TokenReport, TokenTask } from './doubles/token-process.ts';
import { startRotation } from './doubles/token-rotation.ts';

const program = join(import.meta.dirname, 'doubles/token-process.ts');
const processesMillisecondsMax = 30_000;

/** Two processes that have both read the token before either goes on; gives what each one reported. */
async function runTwo(task: TokenTask, onBothAsked = (): void => undefined): Promise<string[]> {
  const children: ChildProcess[] = [];
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  const counts = { read: 0, asked: 0 };
  const run = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = fork(program, { execArgv: [] });
      children.push(child);
      let outcome: string | undefined;
      child.on('message', (report: TokenReport) => {
        if (typeof report === 'object') {
          outcome = report.outcome;
          return;
        }
        counts[report] += 1;
        if (report === 'asked' && counts.asked === 2) onBothAsked();
        if (report === 'read' && counts.read === 2) for (const one of children) one.send('go');
      });
      child.on('error', reject);
      child.on('exit', (code) =>
        outcome === undefined ? reject(new Error(`exit ${code}`)) : resolve(outcome),
      );
      child.send(task);
    });
  return Promise.all([run(), run()]);
}

describe('two processes that need a new access token at once', () => {
  it(
    'end with one rotation, one valid refresh token, and an access token that works for both',
    async () => {
      const { simulator, emulator, secretArn, instance, read, exchange } = await startRotation();
      const handler = instance();
      const steps: string[] = [];
      const bothAsked = Promise.withResolvers<void>();
      emulator.rotateWith(secretArn, async (event) => {
        steps.push(event.Step);
        await bothAsked.promise;
        return handler(event).then(() => ({ ok: true, payload: 'null' }), failure);
      });
      const { baseUrl } = simulator;
      const task = { kind: 'rotated', baseUrl, endpoint: emulator.endpoint, secretArn } as const;
      expect(await runTwo(task, bothAsked.resolve)).toEqual(['done', 'done']);
      expect(steps).toEqual(['createSecret', 'setSecret', 'testSecret', 'finishSecret']);
      const { tokens } = await read();
      expect((await exchange(tokens.refreshToken)).token_type).toBe('Bearer');
      await expect(exchange(tokens.refreshToken)).rejects.toMatchObject({ status: 400 });
    },
    processesMillisecondsMax,
  );

  it(
    'end with one valid refresh token in a store that they share, without any rotation function',
    async () => {
      const { simulator, exchange } = await startRotation();
      const directory = await mkdtemp(join(tmpdir(), 'payhooks-tokens-'));
      onTestFinished(() => rm(directory, { recursive: true }));
      const file = join(directory, 'tokens.json');
      const expired = { access_token: 'expired', refresh_token: 'first-refresh', expires_at: 0 };
      await writeFile(file, JSON.stringify(expired));
      const outcomes = await runTwo({ kind: 'refreshing', baseUrl: simulator.baseUrl, file });
      // Whoever comes second may look before the first one has saved; it then fails and changes nothing.
      expect(outcomes).toContain('done');
      const stored = JSON.parse(await readFile(file, 'utf8'));
      expect(stored.refresh_token).not.toBe('first-refresh');
      expect((await exchange(stored.refresh_token)).token_type).toBe('Bearer');
      await expect(exchange(stored.refresh_token)).rejects.toMatchObject({ status: 400 });
    },
    processesMillisecondsMax,
  );
});
