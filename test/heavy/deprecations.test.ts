import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

it('no function and no part of local mode uses what Node has deprecated, or is about to deprecate', async () => {
  const options = ['--conditions=payhooks-source', '--pending-deprecation', '-r', './bin/node-guard.cjs'];
  const flags = [...options, 'local/start.ts'];
  const child = spawn(process.execPath, [...flags, '--port', '0', '--service-port', '0'], { cwd: root });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  // The demo sends events of every kind, and the audit comes last, after every function has run.
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (/ALARM/.test(output) && /deliveries reconciled/.test(output)) resolve();
      });
    }
    child.on('exit', () => reject(new Error(`Local mode ended:\n${output}`)));
  });
  expect(output).not.toMatch(/deprecat/i);
});
