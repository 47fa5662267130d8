import type { DeliveryAttempt, PaymentServiceClient, Webhook } from '@payhooks/payment-service';
import {
  event,
  paidWebhook,
  quickPolicy,
  runReceiver,
  runSimulator,
} from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { deliveryLagSeconds } from '../../../lambdas/contract/reconcile-limits.ts';
import { keyCredential } from '../../../lambdas/webhook-audit/credential.ts';
import { reconcileAudit } from '../../../lambdas/webhook-audit/reconcile-audit.ts';
import { createWebhookAudit } from '../../../lambdas/webhook-audit/webhook-audit.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

/** How long after the delivery an acknowledged event is judged: a little more than nine hours. */
const laterMilliseconds = 9.1 * 3_600_000;

const withoutFields = {
  object: 'v2.webhook_history',
  data: [{ id: 'one', when: '2026-11-21' }],
  pagination: { current_page: 1, per_page: 50, total: 1, last_page: 1 },
};

interface Given {
  /** The responses of our endpoint, one after another. */
  readonly statuses?: readonly number[];
  readonly events?: readonly string[];
  readonly stored?: readonly string[];
  readonly deadLetters?: number;
  readonly later?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** Delivers events with the simulator, and then runs one audit. */
async function audit({ statuses = [202], events = ['e-1'], stored = [], ...given }: Given = {}) {
  const { deadLetters = 0, later = laterMilliseconds } = given;
  const receiver = await runReceiver(...statuses);
  const simulator = await runSimulator();
  simulator.registerWebhook(paidWebhook(receiver.url));
  for (const id of events) await simulator.emit(event(id));
  const telemetry = recordTelemetry();
  const lookedUp: string[] = [];
  const auditWebhooks = createWebhookAudit({
    service: { baseUrl: simulator.baseUrl, policy: quickPolicy, ...(given.fetch && { fetch: given.fetch }) },
    credential: keyCredential({ readSecret: async () => 'pri_live', now: Date.now }),
    expected: { url: receiver.url, requiredEvents: ['transaction.paid'] },
    stackName: 'payhooks-production',
    telemetry,
    reconciliation: {
      async isStored(mode, eventId) {
        lookedUp.push(`${mode} ${eventId}`);
        return stored.includes(eventId);
      },
      deadLetters: async () => deadLetters,
      now: () => Date.now() + later,
    },
  });
  const { findings } = await auditWebhooks();
  return { findings, lookedUp, metrics: telemetry.metrics, lines: telemetry.lines };
}

describe('the webhook audit', () => {
  it('finds what was delivered hours ago and is not stored', async () => {
    const { findings, lookedUp, metrics } = await audit({ events: ['e-1', 'e-2'], stored: ['e-1'] });
    expect(findings).toEqual([
      {
        kind: 'deliveries_missing',
        detail: expect.stringMatching(/^Acknowledged and not stored: e-2 at 20\d\d-.*Z\.$/),
        command: 'npx payhooks reconcile --stack payhooks-production',
      },
    ]);
    expect(lookedUp.toSorted()).toEqual(['live e-1', 'live e-2']);
    expect(metrics).toEqual(['DeliveriesMissing']);
  });

  it('takes absent events for dead letters while there are as many of those', async () => {
    expect((await audit({ events: ['e-1', 'e-2'], deadLetters: 2 })).metrics).toEqual([]);
    expect((await audit({ events: ['e-1', 'e-2'], deadLetters: 1 })).metrics).toEqual(['DeliveriesMissing']);
  });

  it('finds at once that deliveries and their retries reach another server', async () => {
    const { findings, metrics } = await audit({ statuses: [404], later: 0 });
    expect(findings[0]).toEqual({
      kind: 'webhook_unreachable',
      detail: expect.stringMatching(
        /^No delivery .*: 4 attempts, the last one got status 404, which is not ours\.$/,
      ),
      command: 'npx payhooks smoke --stack payhooks-production',
    });
    expect(metrics).toEqual(['WebhookUnreachable', 'DeliveriesGivenUp']);
  });

  it.each([
    [
      'is not there',
      new Response('{}', { status: 404 }),
      /^Deliveries were not compared with what is stored. webhookHistory failed with status 404/,
    ],
    [
      'has records without the fields',
      Response.json(withoutFields),
      /^Attempts without event id, time or outcome: [1-9]\d* \(A16\)\.$/,
    ],
  ])('finds that nothing can be compared when the history %s', async (_, response, detail) => {
    const unknown = async (request: Request) =>
      request.url.includes('/history') ? response.clone() : fetch(request);
    const { findings, metrics, lookedUp } = await audit({ fetch: unknown });
    expect(findings.map(({ kind }) => kind)).toEqual(['history_unreadable']);
    expect(findings[0]?.detail).toMatch(detail);
    expect([metrics, lookedUp]).toEqual([Array(2).fill('WebhookAuditIncomplete'), []]);
  });

  it('names a few events and the number of the others', async () => {
    const { findings } = await audit({ events: ['a', 'b', 'c', 'd', 'e'] });
    expect(findings[0]?.detail).toMatch(/(. at [^,]+, ){2}. at [^,]+ and 2 more\.$/);
  });
});

describe('reconcileAudit', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const at = (hoursAgo: number): string => new Date(now - hoursAgo * 3_600_000).toISOString();
  /** An attempt of an event whose id says how it went. */
  const attempt = (event_id: string, hoursAgo: number, change: Partial<DeliveryAttempt>) =>
    ({ event_id, delivery_id: event_id, attempted_at: at(hoursAgo), ...change }) as DeliveryAttempt;
  const acknowledged = { response_status: 202, retry_pending: false };
  const failed = { response_status: 503, retry_pending: false };
  const settledHours = deliveryLagSeconds / 3_600;

  /** Audits a live registration, or another, with these attempts. */
  function auditOf(
    attempts: readonly DeliveryAttempt[],
    change: Partial<Parameters<typeof reconcileAudit>[1]> = {},
  ) {
    const lookedUp: string[] = [];
    const counted: string[] = [];
    const data = attempts.toSorted((a, b) => ((a.attempted_at ?? '') < (b.attempted_at ?? '') ? 1 : -1));
    const pagination = { current_page: 1, per_page: 50, total: data.length, last_page: 1 };
    const client = { webhookHistory: async () => ({ data, pagination }) } as unknown as PaymentServiceClient;
    const webhooks = [{ id: 'w', is_live_mode: true }] as Webhook[];
    const telemetry = recordTelemetry();
    const { signal } = new AbortController();
    const issues = reconcileAudit(
      {
        isStored: async (mode, eventId) => lookedUp.push(`${mode} ${eventId}`) < 0,
        deadLetters: async () => counted.push('dead letters') - 1,
        now: () => now,
      },
      { client, webhooks, signal, telemetry, ...change },
    );
    return { issues, lookedUp, counted, telemetry };
  }

  it('judges what failed at once, and what was acknowledged once it can no longer be in the queue', async () => {
    const { issues, lookedUp, telemetry } = auditOf([
      attempt('failed now', 0.1, failed),
      attempt('retried now', 0.1, { ...failed, retry_pending: true }),
      attempt('acknowledged now', 0.1, acknowledged),
      attempt('failed before', settledHours + 0.1, failed),
      attempt('acknowledged before', settledHours + 0.1, acknowledged),
    ]);
    expect((await issues).map(({ kind }) => kind)).toEqual(['deliveries_missing', 'deliveries_given_up']);
    expect(lookedUp).toEqual(['live failed now', 'live acknowledged before']);
    expect(telemetry.lines.map(({ fields }) => fields)).toEqual([
      { stored: 0, retrying: 1, missing: 1, given_up: 1, is_complete: true },
    ]);
  });

  it('counts an attempt without a time once, although it may be of both windows', async () => {
    const { issues } = auditOf([
      attempt('e-1', 0.1, { ...acknowledged, attempted_at: null }),
      attempt('e-2', 0.1, { ...acknowledged, attempted_at: 'yesterday' }),
    ]);
    const detail = 'Attempts without event id, time or outcome: 2 (A16).';
    expect(await issues).toEqual([{ kind: 'history_unreadable', detail, fix: ['reconcile'] }]);
  });

  it('looks up the events of a sandbox registration among the sandbox events', async () => {
    const webhooks = [{ id: 'w', is_live_mode: false }] as Webhook[];
    const { issues, lookedUp } = auditOf([attempt('e-1', 0.1, failed)], { webhooks });
    await issues;
    expect(lookedUp).toEqual(['sandbox e-1']);
  });

  it.each([
    ['not compared all', 21, false],
    ['compared all', 20, true],
  ])('logs that it has %s attempts of a history with %i pages in its window', async (_, pages, all) => {
    const data = [attempt('e-1', 0.1, failed)];
    const webhooks = ['short', 'long'].map((id) => ({ id, is_live_mode: true })) as Webhook[];
    const webhookHistory = async (webhook: string, { page }: { page: number }) => {
      const last_page = webhook === 'long' ? pages : 1;
      return { data: page > last_page ? [] : data, pagination: { current_page: page, last_page } };
    };
    const client = { webhookHistory } as unknown as PaymentServiceClient;
    const { issues, telemetry } = auditOf([], { client, webhooks });
    await issues;
    expect(telemetry.lines.map(({ fields }) => fields['is_complete'])).toEqual([all]);
  });

  it('counts no dead letters when no acknowledged event is absent', async () => {
    const { issues, counted } = auditOf([attempt('e-1', 0.1, failed)]);
    await issues;
    expect(counted).toEqual([]);
  });

  it('says that it took too long, and throws what the stores throw in time', async () => {
    const attempts = [attempt('e-1', 0.1, failed)];
    const detail = 'Deliveries were not compared with what is stored. It took too long.';
    const { issues } = auditOf(attempts, { signal: AbortSignal.abort(new Error('late')) });
    expect(await issues).toEqual([{ kind: 'history_unreadable', detail, fix: ['reconcile'] }]);
    const webhookHistory = () => Promise.reject(new TypeError('of the store'));
    const client = { webhookHistory } as unknown as PaymentServiceClient;
    await expect(auditOf(attempts, { client }).issues).rejects.toThrow('of the store');
  });
});
