import type { DeliveryAttempt, PaymentServiceClient } from '@payhooks/payment-service';
import {
  event,
  paidWebhook,
  quickPolicy,
  runReceiver,
  runSimulator,
} from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { deliveryLagSeconds } from '../lambdas/contract/reconcile-limits.ts';
import { keyCredential } from '../lambdas/webhook-audit/credential.ts';
import { HistoryError, readHistory } from '../lambdas/webhook-audit/history.ts';
import { createWebhookAudit } from '../lambdas/webhook-audit/webhook-audit.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

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

  it('finds nothing, and counts nothing, when everything that was delivered is stored', async () => {
    const { findings, metrics, lines } = await audit({ stored: ['e-1'] });
    expect([findings, metrics]).toEqual([[], []]);
    expect(lines.at(-1)).toEqual({
      level: 'notice',
      message: 'deliveries reconciled',
      fields: { stored: 1, retrying: 0, missing: 0, given_up: 0, is_complete: true },
    });
  });

  it('judges no delivery while its event may still be in the event queue', async () => {
    const { findings, lookedUp } = await audit({ later: (deliveryLagSeconds - 60) * 1_000 });
    expect([findings, lookedUp]).toEqual([[], []]);
  });

  it('waits longer than a message can be in the event queue: 90 receives with 322 seconds each', () => {
    expect(deliveryLagSeconds).toBeGreaterThan(90 * 322);
  });

  it('takes absent events for dead letters while there are as many of those', async () => {
    expect((await audit({ events: ['e-1', 'e-2'], deadLetters: 2 })).metrics).toEqual([]);
    expect((await audit({ events: ['e-1', 'e-2'], deadLetters: 1 })).metrics).toEqual(['DeliveriesMissing']);
  });

  it('finds at once what the payment service has given up on', async () => {
    const { findings, metrics } = await audit({ statuses: [503], later: 0 });
    expect(findings.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      expect.stringMatching(/^deliveries_given_up: Not delivered, and not sent again: e-1 at .*\.$/),
    ]);
    expect(metrics).toEqual(['DeliveriesGivenUp']);
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

  it('finds nothing wrong with an event that was stored although no attempt got 2xx', async () => {
    const { findings, lookedUp } = await audit({ statuses: [503], later: 0, stored: ['e-1'] });
    expect([findings, lookedUp]).toEqual([[], ['live e-1']]);
  });

  it.each([
    ['is not there', new Response('{}', { status: 404 })],
    ['has records without the fields', Response.json(withoutFields)],
  ])('finds that nothing can be compared when the history %s', async (_, response) => {
    const unknown = async (request: Request) =>
      request.url.includes('/history') ? response.clone() : fetch(request);
    const { findings, metrics, lookedUp } = await audit({ fetch: unknown });
    expect(findings.map(({ kind }) => kind)).toEqual(['history_unreadable']);
    expect([metrics, lookedUp]).toEqual([Array(2).fill('WebhookAuditIncomplete'), []]);
  });

  it('names a few events and the number of the others', async () => {
    const { findings } = await audit({ events: ['a', 'b', 'c', 'd', 'e'] });
    expect(findings[0]?.detail).toMatch(/(. at [^,]+, ){2}. at [^,]+ and 2 more\.$/);
  });
});

const start = Date.UTC(2026, 10, 21, 10);
const minute = 60_000;

/** A history with one attempt a minute, the most recent first or not, and the pages that were read. */
function historyOf(minutes: number, { isReversed = false } = {}) {
  const pages: number[] = [];
  const attempts = Array.from({ length: minutes }, (_, n) => ({
    event_id: `e-${n}`,
    attempted_at: new Date(start - n * minute).toISOString(),
  })) as DeliveryAttempt[];
  if (isReversed) attempts.reverse();
  const client = {
    async webhookHistory(_: string, { page = 1, limit = 10 }) {
      pages.push(page);
      const data = attempts.slice((page - 1) * limit, page * limit);
      const last_page = Math.ceil(minutes / limit);
      return { data, pagination: { current_page: page, per_page: limit, total: minutes, last_page } };
    },
  } as unknown as PaymentServiceClient;
  return { client, pages };
}
const idsOf = (attempts: readonly DeliveryAttempt[]) => attempts.map(({ event_id }) => event_id);

describe('readHistory', () => {
  it('reads only the pages that reach into a window at the end', async () => {
    const { client, pages } = historyOf(5_000);
    const window = { since: start - 60 * minute, until: start, pagesMax: 20 };
    const { attempts, isComplete } = await readHistory(client, 'w', window);
    expect([attempts.length, pages, isComplete]).toEqual([61, [1, 2], true]);
  });

  it('finds a window in the past without reading all pages before it', async () => {
    const { client, pages } = historyOf(5_000);
    const window = { since: start - 3_002 * minute, until: start - 3_000 * minute, pagesMax: 20 };
    const { attempts, isComplete } = await readHistory(client, 'w', window);
    expect(idsOf(attempts)).toEqual(['e-3000', 'e-3001', 'e-3002']);
    expect(pages.length).toBeLessThan(12);
    expect(isComplete).toBe(true);
  });

  it('reads a window that is older than the history as empty', async () => {
    const { client } = historyOf(120);
    const window = { since: start - 900 * minute, until: start - 800 * minute, pagesMax: 20 };
    expect(await readHistory(client, 'w', window)).toMatchObject({ attempts: [], isComplete: true });
  });

  it('ends at its bound, and is then not complete', async () => {
    const { client, pages } = historyOf(5_000);
    const { attempts, isComplete } = await readHistory(client, 'w', { since: 0, until: start, pagesMax: 3 });
    expect([attempts.length, pages, isComplete]).toEqual([150, [1, 2, 3], false]);
  });

  it('refuses a history that begins with the oldest attempt', async () => {
    const { client } = historyOf(120, { isReversed: true });
    await expect(readHistory(client, 'w', { since: 0, until: start, pagesMax: 3 })).rejects.toThrow(
      HistoryError,
    );
  });
});
