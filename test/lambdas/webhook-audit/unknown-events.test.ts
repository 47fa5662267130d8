import type { DeliveryAttempt, Webhook } from '@payhooks/payment-service';
import { expect, it } from 'vitest';
import { reconcileAudit } from '../../../lambdas/webhook-audit/reconcile-audit.ts';
import { attempt, clientOf, liveWebhook } from '../../doubles/delivery-history.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 21, 12);

/** An acknowledged delivery so many minutes ago, by a service whose clock is so many hours ahead. */
const delivered = (event_id: string, minutes: number, hours = 0): DeliveryAttempt =>
  attempt({
    ...{ event_id, delivery_id: event_id, response_status: 202, retry_pending: false },
    attempted_at: new Date(now - minutes * minute + hours * 60 * minute).toISOString(),
  });

const byTime = (a: DeliveryAttempt, b: DeliveryAttempt): number =>
  Date.parse(b.attempted_at ?? '') - Date.parse(a.attempted_at ?? '');

interface Given {
  /** When the events that orders count were received, in minutes ago. */
  readonly counted: Readonly<Record<string, number>>;
  readonly history?: readonly DeliveryAttempt[];
  readonly ofWebhook?: string;
  readonly webhook?: Partial<Webhook>;
  /** Whether all orders that changed were read. */
  readonly isComplete?: boolean;
}

/** What an audit finds of the events that orders count. */
async function auditOf({ counted, history = [], ofWebhook, webhook, isComplete = true }: Given) {
  const ours = { ...liveWebhook, created_at: '2026-10-01 00:00:00', ...webhook };
  const { client, pages } = clientOf(history.toSorted(byTime), ofWebhook);
  const { lines, ...telemetry } = recordTelemetry();
  const findings = await reconcileAudit(
    {
      isStored: async () => true,
      countedSince: async (mode) => ({
        eventIds: mode === 'live' ? Object.keys(counted) : [],
        isComplete,
      }),
      receivedAt: async (_, ids) => new Map(ids.map((id) => [id, now - (counted[id] ?? 0) * minute])),
      now: () => now,
    },
    {
      ...{ client, webhooks: [ours], all: [ours, { ...ours, id: 'other' }], telemetry },
      signal: new AbortController().signal,
    },
  );
  const found = findings.map(({ kind, detail }) => `${kind}: ${detail}`);
  return { found, pages, logged: lines.map(({ message, fields }) => ({ message, ...fields })) };
}

const genuine = { 'e-1': 45, 'e-2': 50 };
const ofGenuine = [delivered('e-1', 45), delivered('e-2', 50)];
const forged =
  'events_unknown: Counted in orders, and not in the history of the payment service: ' +
  'forged at 2026-11-21T11:15:00.000Z.';

it('an event that an order counts and the history lacks is found, with its id in the log', async () => {
  const { found, logged } = await auditOf({ counted: { ...genuine, forged: 45 }, history: ofGenuine });
  expect(found).toEqual([forged]);
  expect(logged).toContainEqual({ message: 'events unknown to the payment service', events: 'live forged' });
});

it('an event that the service never sent is found although it never sent any', async () => {
  expect((await auditOf({ counted: { forged: 45 } })).found).toEqual([forged]);
});

it.each([
  ['younger than the lag of a history', { fresh: 29 }, []],
  ['older than what an audit compares', { old: 61 }, []],
  ['in the history of another registration of the account', { moved: 45 }, [delivered('moved', 45)], 'other'],
  ['in the history of a service whose clock is five hours ahead', { ahead: 45 }, [delivered('ahead', 45, 5)]],
  ['in the history of a service whose clock is five hours behind', { late: 45 }, [delivered('late', 45, -5)]],
])('an event is not unknown when it is %s', async (_, counted, history, ofWebhook?: string) => {
  const given = { counted: { ...genuine, ...counted }, history: [...ofGenuine, ...history] };
  const { found } = await auditOf({ ...given, ...(ofWebhook && { counted, history, ofWebhook }) });
  expect(found).toEqual([]);
});

it.each([
  [
    'its attempts show no event',
    { history: [attempt({ event_id: null, attempted_at: '2026-11-21 11:15:00' })] },
  ],
  ['our URL was registered after it', { webhook: { created_at: '2026-11-21 11:20:00' } }],
  // 1,000 attempts after the window, whose zone nothing shows.
  ['it is too long to be read', { history: Array.from({ length: 1_050 }, (_, n) => delivered(`n-${n}`, 5)) }],
])('no event counts as unknown while the history cannot show it: %s', async (_, given) => {
  const { found, logged } = await auditOf({ counted: { stored: 45 }, ...given });
  expect(found.filter((one) => one.startsWith('events_unknown'))).toEqual([]);
  expect(logged.map(({ message }) => message)).toContain(
    'stored events not all compared: too many orders changed, or the history does not cover their time',
  );
});

it('an unknown event is found although too many orders have changed, and the log names the gap', async () => {
  const given = { counted: { ...genuine, forged: 45 }, history: ofGenuine, isComplete: false };
  const { found, logged } = await auditOf(given);
  expect(found).toEqual([forged]);
  expect(logged.map(({ message }) => message)).toContain(
    'stored events not all compared: too many orders changed, or the history does not cover their time',
  );
});

it('a long history is judged where the other events are found in it', async () => {
  const busy = [...Array.from({ length: 1_050 }, (_, n) => delivered(`n-${n}`, 5)), ...ofGenuine];
  expect((await auditOf({ counted: { ...genuine, forged: 45 }, history: busy })).found).toEqual([forged]);
});

it('an audit without a changed order reads no more of the history than before', async () => {
  expect((await auditOf({ counted: {} })).pages).toHaveLength(2);
});
