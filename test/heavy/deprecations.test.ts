import { expect, it, vi } from 'vitest';
import { startProcess } from './local-process.ts';

it('no function and no part of local mode uses what Node has deprecated, or is about to deprecate', async () => {
  vi.stubEnv('NODE_OPTIONS', '--pending-deprecation');
  const { output } = await startProcess('--port', '0', '--service-port', '0');
  // The demo sends events of every kind, and the audit comes last, after every function has run.
  // What waits is counted every three minutes.
  await expect.poll(output, { timeout: 600_000 }).toMatch(/ALARM/);
  await expect.poll(output).toMatch(/deliveries reconciled/);
  expect(output()).not.toMatch(/deprecat/i);
});
