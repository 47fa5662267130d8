import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect, it } from 'vitest';
import { privateKey, requestsTo, sandboxKey } from '../local/running-pipeline.ts';
import { type LocalProcess, startProcess } from './local-process.ts';

const events = 1_000;
const senders = 20;
const ordersCount = 50;
const idOf = (n: number): string => `evt-${n}`;
const orderOf = (n: number): string => `order-${n % ordersCount}`;
const bodyOf = (n: number): Uint8Array =>
  bytesOf(
    paidEvent({
      seed: `kill ${n}`,
      eventId: idOf(n),
      orderId: orderOf(n),
      transactionId: `txn-${n % ordersCount}`,
    }),
  );

/** Posts every event once from several senders; gives those that were acknowledged. */
async function postAll(process: LocalProcess, onAcknowledged: (count: number) => void): Promise<Set<number>> {
  const { post } = requestsTo(process.baseUrl);
  const acknowledged = new Set<number>();
  const send = async (first: number): Promise<void> => {
    for (let n = first; n < events; n += senders) {
      const status = await post(bodyOf(n)).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 202) onAcknowledged(acknowledged.add(n).size);
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, first) => send(first)));
  return acknowledged;
}

it('keeps every acknowledged event, once, through a kill -9 in the middle of 1,000 posts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'payhooks-kill-'));
  const flags = [
    '--port',
    '0',
    '--data-dir',
    directory,
    '--no-demo',
    '--private-key',
    privateKey,
    '--sandbox-key',
    sandboxKey,
  ];
  const first = await startProcess(...flags);
  let killed: Promise<unknown> | undefined;
  const acknowledged = await postAll(first, (count) => {
    if (count === 400) killed = first.kill('SIGKILL');
  });
  await killed;
  expect(acknowledged.size).toBeGreaterThanOrEqual(400);
  expect(acknowledged.size).toBeLessThan(events);

  const second = await startProcess(...flags);
  const { event, order } = requestsTo(second.baseUrl);
  for (const n of acknowledged) {
    const recorded = await event(idOf(n));
    expect(recorded).toMatchObject({ outcome: 'applied', order_id: orderOf(n), others: [] });
    expect(Buffer.from(String(recorded['body_base64']), 'base64').equals(bodyOf(n))).toBe(true);
  }
  for (let n = 0; n < ordersCount; n += 1) {
    const { status, events: told } = (await order(orderOf(n))) as {
      status: string;
      events: { id: string }[];
    };
    const ids = told.map(({ id }) => id);
    const owed = [...acknowledged].filter((one) => orderOf(one) === orderOf(n)).map(idOf);
    expect(status).toBe('paid');
    expect(ids).toHaveLength(new Set(ids).size);
    expect(owed.filter((id) => !ids.includes(id))).toEqual([]);
  }
  expect(await second.kill('SIGTERM')).toBe(0);
  await rm(directory, { recursive: true });
});
