/** `npm run load`: how much local mode takes, and whether it keeps what it has acknowledged. */
import autocannon from 'autocannon';
import { readFlags, readWholeNumber, runCommand } from '../command-line.ts';
import { runLoad } from './load.ts';

const usage = `npm run load -- [--seconds N] [--connections N] [--rate N]

Starts local mode in a process of its own, sends signed webhooks to it with autocannon, waits until its queue
is empty, and checks that every acknowledged event is recorded exactly once. If not, the exit code is 1. Also
prints how many events a second payhooks rebuild --verify compares there.

  --seconds N      how long to send (30 by default)
  --connections N  how many webhooks are under way at a time (16 by default)
  --rate N         how many webhooks to offer per second (by default as many as the connections can send)
`;
const flags = {
  seconds: { type: 'string' },
  connections: { type: 'string' },
  rate: { type: 'string' },
} as const;

async function main(args: readonly string[]): Promise<number> {
  const values = readFlags(args, flags);
  const { result, sent, acknowledged, faults, ...rest } = await runLoad({
    seconds: readWholeNumber('--seconds', values.seconds, 3_600) ?? 30,
    connections: readWholeNumber('--connections', values.connections, 2_000) ?? 16,
    rate: readWholeNumber('--rate', values.rate, 10_000),
  });
  process.stdout.write(autocannon.printResult(result));
  const lines = [
    `${sent.size} sent, ${acknowledged.size} acknowledged, ${rest.recorded.rows.size} recorded.`,
    `At most ${rest.waitingMost} waited; ${rest.drainSeconds.toFixed(1)} s until the queue was empty.`,
    `payhooks rebuild --verify: ${(rest.recorded.rows.size / rest.verifySeconds).toFixed(0)} events/s.`,
    `Memory at the start and the end: ${rest.memory.map((megabytes) => megabytes.toFixed(0)).join(', ')} MB.`,
    ...(faults.length === 0 ? ['Every acknowledged event is recorded exactly once.'] : faults),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return faults.length === 0 ? 0 : 1;
}

await runCommand(usage, main);
