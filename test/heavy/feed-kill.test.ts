import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { expect, it } from 'vitest';
import { type FeedEvent, readFeed } from '../local/feed-reader.ts';
import { eventually, privateKey, requestsTo, sandboxKey } from '../local/running-pipeline.ts';
import { type LocalProcess, startProcess } from './local-process.ts';

const kills = 3;
const eventsPerRun = 400;
const acknowledgedBeforeKill = 250;
const senders = 20;
const ordersCount = 40;

/** Each event brings a transaction of its own, and so each one changes its order. */
const bodyOf = (n: number): Uint8Array =>
  bytesOf(paidEvent({ eventId: `evt-${n}`, orderId: `order-${n % ordersCount}`, transactionId: `txn-${n}` }));

/** Posts the events of one run until the process is killed; adds the ids that were acknowledged. */
async function postUntilKilled(process: LocalProcess, run: number, acknowledged: Set<string>): Promise<void> {
  const { post } = requestsTo(process.baseUrl);
  const before = acknowledged.size;
  let killed: Promise<unknown> | undefined;
  const send = async (first: number): Promise<void> => {
    for (let n = run * eventsPerRun + first; n < (run + 1) * eventsPerRun; n += senders) {
      const status = await post(bodyOf(n)).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 202) acknowledged.add(`evt-${n}`);
      if (acknowledged.size - before >= acknowledgedBeforeKill) killed ??= process.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: senders }, (_, first) => send(first)));
  await killed;
}

/** The events of the payment service that these changes were caused by. */
const causesOf = (changes: readonly FeedEvent[]): Set<string> =>
  new Set(changes.flatMap(({ detail }) => detail.caused_by.map(({ id }) => id)));
const missing = (acknowledged: ReadonlySet<string>, changes: readonly FeedEvent[]): string[] => {
  const causes = causesOf(changes);
  return [...acknowledged].filter((id) => !causes.has(id));
};

it(`tells of every change at least once, through ${kills} times kill -9`, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'payhooks-feed-kill-'));
  const flags = ['--port', '0', '--data-dir', directory, '--no-demo'];
  flags.push('--private-key', privateKey, '--sandbox-key', sandboxKey);
  const acknowledged = new Set<string>();
  const received: FeedEvent[] = [];
  let lastEventId: string | undefined;
  for (let run = 0; run < kills; run += 1) {
    const process = await startProcess(...flags);
    const reader = await readFeed(process.baseUrl, { lastEventId });
    await postUntilKilled(process, run, acknowledged);
    await reader.ended.catch(() => {});
    received.push(...reader.events);
    lastEventId = reader.lastEventId();
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(kills * acknowledgedBeforeKill);
  expect(acknowledged.size).toBeLessThan(kills * eventsPerRun);

  const last = await startProcess(...flags);
  const resumed = await readFeed(last.baseUrl, { lastEventId });
  const replayed = await readFeed(last.baseUrl, { lastEventId: '0' });
  await eventually(
    async () => missing(acknowledged, replayed.events),
    (ids) => ids.length === 0,
  );
  await eventually(
    async () => missing(acknowledged, [...received, ...resumed.events]),
    (ids) => ids.length === 0,
  );
  expect(resumed.comments).toEqual([]);

  // What an order system keeps of each order is what the order query says.
  const { order } = requestsTo(last.baseUrl);
  for (let n = 0; n < ordersCount; n += 1) {
    const id = `order-${n}`;
    const { events } = (await order(id)) as { events: object[] };
    const latest = Math.max(
      ...[...received, ...resumed.events]
        .filter(({ detail }) => detail.order_id === id)
        .map(({ detail }) => detail.sequence),
    );
    expect([id, latest]).toEqual([id, events.length]);
  }
  await Promise.all([resumed.close(), replayed.close()]);
  expect(await last.kill('SIGTERM')).toBe(0);
  await rm(directory, { recursive: true });
});
