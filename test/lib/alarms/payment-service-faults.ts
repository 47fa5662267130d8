import {
  event,
  quickPolicy,
  runReceiver,
  runSimulator,
  startService,
} from '@payhooks/payment-service/testing';
import { deliveryLagSeconds } from '../../../lambdas/contract/reconcile-limits.ts';
import { createTokenRefresh } from '../../../lambdas/token-refresh/token-refresh.ts';
import { keyCredential } from '../../../lambdas/webhook-audit/credential.ts';
import type { ReconciliationParts } from '../../../lambdas/webhook-audit/reconcile-audit.ts';
import { createWebhookAudit } from '../../../lambdas/webhook-audit/webhook-audit.ts';
import { firstTokens, startRotation } from '../../doubles/token-rotation.ts';
import { synthesise } from '../synthesis.ts';
import type { Deployment } from './deployment.ts';
import type { AlarmFault } from './fault.ts';
import { telemetryOf } from './invocations.ts';
import { completeSettings } from './settings.ts';

const url = 'https://hooks.merchant.example/webhooks/payments';
const enabledEvents = ['transaction.paid', 'transaction.refunded'];
export const ours = { url, enabledEvents, isLiveMode: true };

const nothingToCompare: ReconciliationParts = {
  isStored: async () => true,
  deadLetters: async () => 0,
  now: Date.now,
};

/** The audit of the template, of a payment service at this address. */
export function auditOf(
  baseUrl: string,
  {
    readSecret = async () => 'pri_live',
    url = ours.url,
    reconciliation = nothingToCompare,
    fetch = globalThis.fetch as typeof withoutHistory,
  } = {},
) {
  return createWebhookAudit({
    reconciliation,
    service: { baseUrl, policy: quickPolicy, fetch },
    credential: keyCredential({ readSecret, now: Date.now }),
    expected: { url, requiredEvents: enabledEvents },
    stackName: 'payhooks-production',
    telemetry: telemetryOf(synthesise(completeSettings), 'WebhookAudit'),
  });
}

/** One audit of an account that has these webhooks. */
const auditing =
  (...webhooks: readonly (typeof ours)[]): AlarmFault['cause'] =>
  async ({ state, pass }) => {
    const { baseUrl, registerWebhook } = await runSimulator();
    for (const webhook of webhooks) registerWebhook(webhook);
    state.audit = auditOf(baseUrl);
    await pass(1);
  };

/** An event that our endpoint responds to with this status, and one audit so long after that. */
const delivering =
  (status: number, laterMilliseconds: number): AlarmFault['cause'] =>
  async ({ state, pass }) => {
    const receiver = await runReceiver(status);
    const { baseUrl, registerWebhook, emit } = await runSimulator();
    registerWebhook({ ...ours, url: receiver.url });
    await emit(event('e-1'));
    const now = () => Date.now() + laterMilliseconds;
    const reconciliation = { ...nothingToCompare, isStored: async () => false, now };
    state.audit = auditOf(baseUrl, { url: receiver.url, reconciliation });
    await pass(1);
  };

/** The history of a payment service whose attempts get API Gateway's refusal of an unknown client certificate. */
const historyOfRefusals = async (request: Request): Promise<Response> => {
  if (!request.url.includes('/history')) return fetch(request);
  const data = [1, 7, 21].map((minutes) => ({
    delivery_id: 'd-1',
    event_id: 'e-1',
    event_name: 'transaction.paid',
    attempt: 1,
    created_at: new Date(Date.now() - minutes * 60_000).toISOString(),
    response_status: 403,
    response_body: '{"message":"Forbidden"}',
    is_retry_pending: true,
  }));
  const pagination = { current_page: 1, per_page: 50, total: 3, last_page: 1 };
  return Response.json({ object: 'v2.webhook_history', data, pagination });
};

const withoutHistory = async (request: Request): Promise<Response> =>
  request.url.includes('/history') ? new Response('{}', { status: 404 }) : fetch(request);

async function refreshSpentToken({ invoke }: Deployment): Promise<void> {
  const tokens = { ...firstTokens, refreshToken: 'spent-long-ago' };
  const { begin, eventOf, parts } = await startRotation({ tokens });
  const telemetry = telemetryOf(synthesise(completeSettings), 'TokenRefresh');
  const event = eventOf(await begin(), 'createSecret');
  await invoke('TokenRefresh', () => createTokenRefresh({ ...parts, telemetry })(event));
}

/** Faults of the registration and of calls to the payment service. */
export const paymentServiceFaults: Readonly<Record<string, AlarmFault>> = {
  'WebhookNotRegistered at all': { what: 'the account has no webhook', cause: auditing() },
  'WebhookNotRegistered for live events': {
    what: 'our URL is registered in sandbox mode only',
    cause: auditing({ ...ours, isLiveMode: false }),
  },
  'WebhookNotRegistered for refunds': {
    what: 'refunds are not among the enabled events',
    cause: auditing({ ...ours, enabledEvents: ['transaction.paid'] }),
  },
  WebhookRegisteredTwice: { what: 'our URL is registered twice', cause: auditing(ours, ours) },
  'WebhookAuditIncomplete with a refused credential': {
    what: 'the payment service does not know the key',
    async cause({ state, pass }) {
      const { baseUrl } = await runSimulator();
      state.audit = auditOf(baseUrl, { readSecret: async () => 'pri_unknown' });
      await pass(1);
    },
  },
  'WebhookAuditIncomplete without a response': {
    what: 'two audits in a row get a 503',
    async cause({ state, pass, firing }) {
      const { baseUrl } = await startService({ status: 503 });
      state.audit = auditOf(baseUrl);
      await pass(15);
      if (firing().length > 0) throw new Error('The first audit has raised an alarm.');
      await pass(1);
    },
  },
  WebhookUnreachable: {
    what: 'API Gateway refuses the client certificate of the payment service',
    async cause({ state, pass }) {
      const { baseUrl, registerWebhook } = await runSimulator();
      registerWebhook(ours);
      state.audit = auditOf(baseUrl, { fetch: historyOfRefusals });
      await pass(1);
    },
  },
  DeliveriesMissing: {
    what: 'an event that was acknowledged longer ago than its attempts take is not stored',
    cause: delivering(202, (deliveryLagSeconds + 600) * 1_000),
  },
  DeliveriesGivenUp: { what: 'the payment service stops to deliver an event', cause: delivering(503, 0) },
  'WebhookAuditIncomplete without the history': {
    what: 'the payment service has no history for an hour',
    async cause({ state, pass, firing }) {
      const { baseUrl, registerWebhook } = await runSimulator();
      registerWebhook(ours);
      state.audit = auditOf(baseUrl, { fetch: withoutHistory });
      await pass(30);
      if (firing().length > 0) throw new Error('The second audit has raised an alarm.');
      await pass(1);
    },
  },
  'WebhookAuditSilent after failures': {
    what: 'Secrets Manager denies the key to every audit of an hour',
    async cause({ state, pass }) {
      const readSecret = async () => {
        throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
      };
      state.assumesSchedules = true;
      await pass(1);
      state.audit = auditOf('http://127.0.0.1:9', { readSecret });
      await pass(75);
    },
  },
  WebhookAuditSilent: {
    what: 'no audit starts for an hour',
    async cause({ state, stopped, pass }) {
      state.assumesSchedules = true;
      stopped.add('WebhookAudit');
      await pass(62);
    },
  },
  TokenRefreshFailed: { what: 'the refresh token is spent', cause: refreshSpentToken },
};
