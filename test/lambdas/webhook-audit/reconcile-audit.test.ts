import type { DeliveryAttempt, PaymentServiceClient, Webhook } from '@payhooks/payment-service';
import { describe, expect, it } from 'vitest';
import { deliveryLagSeconds } from '../../../lambdas/contract/reconcile-limits.ts';
import { type ReconciliationParts, reconcileAudit } from '../../../lambdas/webhook-audit/reconcile-audit.ts';
import { attempt, clientOf, liveWebhook } from '../../doubles/delivery-history.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const now = Date.UTC(2026, 10, 21, 12);
const settledHours = deliveryLagSeconds / 3_600;
const acknowledged = { response_status: 202, retry_pending: false };
const failed = { response_status: 503, retry_pending: false };

/** An attempt of an event whose id says how it went. */
const ago = (event_id: string, hours: number, change: Partial<DeliveryAttempt>) =>
  attempt({
    event_id,
    delivery_id: event_id,
    attempted_at: new Date(now - hours * 3_600_000).toISOString(),
    ...change,
  });

interface Given {
  readonly client?: PaymentServiceClient;
  readonly webhooks?: readonly Webhook[];
  readonly signal?: AbortSignal;
  readonly parts?: Partial<ReconciliationParts>;
}

/** Audits a live registration, or another, with these attempts. */
function auditOf(attempts: readonly DeliveryAttempt[], { parts, ...given }: Given = {}) {
  const lookedUp: string[] = [];
  const telemetry = recordTelemetry();
  const issues = reconcileAudit(
    {
      async isStored(mode, eventId) {
        lookedUp.push(`${mode} ${eventId}`);
        return eventId.startsWith('stored');
      },
      countedSince: async () => ({ eventIds: [], isComplete: true }),
      receivedAt: async () => new Map(),
      now: () => now,
      ...parts,
    },
    {
      client: clientOf(attempts).client,
      webhooks: [liveWebhook],
      all: given.webhooks ?? [liveWebhook],
      signal: new AbortController().signal,
      telemetry,
      ...given,
    },
  );
  return { issues, lookedUp, telemetry };
}

describe('reconcileAudit', () => {
  it('judges what failed at once, and what was acknowledged once it can no longer be in the queue', async () => {
    const { issues, lookedUp, telemetry } = auditOf([
      ago('failed now', 0.1, failed),
      ago('retried now', 0.1, { ...failed, retry_pending: true }),
      ago('acknowledged now', 0.1, acknowledged),
      ago('failed before', settledHours + 0.1, failed),
      ago('acknowledged before', settledHours + 0.1, acknowledged),
      ago('stored before', settledHours + 0.2, acknowledged),
    ]);
    const fix = ['reconcile'];
    const failedAt = '2026-11-21T11:54:00.000Z';
    expect(await issues).toEqual([
      { kind: 'deliveries_missing', detail: expect.stringMatching(/: acknowledged before at 20.*Z\.$/), fix },
      {
        kind: 'deliveries_given_up',
        detail: `Not delivered, and not sent again: failed now at ${failedAt}.`,
        fix,
      },
    ]);
    expect(lookedUp.filter((event) => event.startsWith('live'))).toEqual([
      ...['live failed now', 'live acknowledged before', 'live stored before'],
    ]);
    expect(telemetry.lines.map(({ fields }) => fields)).toEqual([
      { stored: 1, retrying: 1, missing: 1, given_up: 1, is_complete: true },
    ]);
  });

  it.each([-12, -5, -1, 9])(
    'finds what was given up in a history whose zone is at UTC %i h',
    async (zone) => {
      const attempts = [ago('e-2', 0.1 - zone, failed), ago('e-1', 0.7 - zone, failed)];
      const { issues, lookedUp } = auditOf(attempts);
      expect((await issues).map(({ kind }) => kind)).toEqual(['deliveries_given_up']);
      expect(lookedUp).toEqual(['live e-2', 'sandbox e-2']);
    },
  );

  it('ends its finding about the last delivery of a quiet account after 13 hours', async () => {
    const kinds = async (hours: number) => (await auditOf([ago('e-1', hours, failed)]).issues).length;
    expect([await kinds(12.9), await kinds(13.1)]).toEqual([1, 0]);
  });

  it('looks into the other mode before an event is missing: that of the webhook may not be its own', async () => {
    const found = async (stored: string) => {
      const isStored = async (mode: string, eventId: string) => `${mode} ${eventId}` === stored;
      const attempts = [ago('e-1', settledHours + 0.1, acknowledged)];
      return (await auditOf(attempts, { parts: { isStored } }).issues).length;
    };
    expect([await found('live e-1'), await found('sandbox e-1'), await found('live e-2')]).toEqual([0, 0, 1]);
  });

  it.each<[string, Partial<DeliveryAttempt>, number]>([
    ['no retry flag', { response_status: 503, retry_pending: null }, 1],
    ['no retry flag and no response', { retry_pending: null }, 1],
    ['no retry flag, but acknowledged', { response_status: 202, retry_pending: null }, 0],
  ])(
    'takes an attempt without a retry flag for unreadable unless it was acknowledged, not for retried: %s',
    async (_, change, count) => {
      const { issues } = auditOf([ago('stored', 0.1, change)]);
      expect((await issues).map(({ kind }) => kind)).toEqual(Array(count).fill('history_unreadable'));
    },
  );

  it('names a few events and the number of the others', async () => {
    const attempts = ['a', 'b', 'c', 'd', 'e'].map((id) => ago(id, settledHours + 0.1, acknowledged));
    const [issue] = await auditOf(attempts).issues;
    expect(issue?.detail).toMatch(/: (. at [^,]+, ){2}. at [^,]+ and 2 more\.$/);
  });

  it('counts an attempt without a time once, although it may be of both windows', async () => {
    const { issues } = auditOf([
      ago('e-1', 0.1, { ...acknowledged, attempted_at: null }),
      ago('e-2', 0.1, { ...acknowledged, attempted_at: 'yesterday' }),
    ]);
    const detail = 'Attempts without event id, time, outcome or retry flag: 2 (A16).';
    expect(await issues).toEqual([{ kind: 'history_unreadable', detail, fix: ['reconcile'] }]);
  });

  it.each([
    ['a part', 21, false],
    ['all', 20, true],
  ])('logs that it has compared %s of a history with %i pages in its window', async (_, pages, all) => {
    const long = Array.from({ length: 50 * pages }, () => ago('e-1', 0.1, failed));
    const webhooks = ['short', 'long'].map((id) => ({ ...liveWebhook, id }));
    const { client } = clientOf(long, 'long');
    const { issues, telemetry } = auditOf([], { client, webhooks });
    await issues;
    expect(telemetry.lines.map(({ fields }) => fields['is_complete'])).toEqual([all]);
  });

  it('says that it took too long, and throws what the stores throw in time', async () => {
    const attempts = [ago('e-1', 0.1, failed)];
    const detail = 'Deliveries were not compared with what is stored. It took too long.';
    const { issues } = auditOf(attempts, { signal: AbortSignal.abort(new Error('late')) });
    expect(await issues).toEqual([{ kind: 'history_unreadable', detail, fix: ['reconcile'] }]);
    const isStored = () => Promise.reject(new TypeError('of the store'));
    await expect(auditOf(attempts, { parts: { isStored } }).issues).rejects.toThrow('of the store');
  });
});
