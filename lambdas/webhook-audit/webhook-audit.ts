import {
  createPaymentServiceClient,
  type PaymentServiceClient,
  type TransportOptions,
  UnauthenticatedError,
  type Webhook,
} from '@payhooks/payment-service';
import { auditIncompleteWeights } from '../contract/alarm-thresholds.ts';
import { webhookAuditSecondsMax } from '../contract/limits.ts';
import { type MetricName, metricNames } from '../contract/metrics.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import {
  auditRegistrations,
  type ExpectedRegistration,
  fixCommand,
  type IssueKind,
  isSameUrl,
  type RegistrationIssue,
} from './audit.ts';
import type { Credential } from './credential.ts';
import { type Fault, type FaultKind, faultOf } from './fault.ts';
import { NoLiveKeyError } from './live-keys.ts';
import {
  type DeliveryIssue,
  type DeliveryIssueKind,
  type ReconciliationParts,
  reconcileAudit,
} from './reconcile-audit.ts';

export interface WebhookAuditParts {
  readonly service: TransportOptions;
  readonly credential: Credential;
  readonly expected: ExpectedRegistration;
  /** Used in the suggested commands. */
  readonly stackName: string;
  /** After this long an audit gives up. */
  readonly millisecondsMax?: number;
  /** Without it only the registration is audited. */
  readonly reconciliation?: ReconciliationParts;
  readonly telemetry: Telemetry;
}

type FindingKind = IssueKind | FaultKind | DeliveryIssueKind;
type Finding = RegistrationIssue | Fault | DeliveryIssue;

/** The result of an audit, for an operator who invokes the function by hand. */
export interface AuditReport {
  readonly findings: readonly {
    readonly kind: FindingKind;
    readonly detail: string;
    /** The suggested fix, or the command to run first. */
    readonly command: string;
  }[];
}

const metrics: Readonly<Record<FindingKind, MetricName>> = {
  not_registered: metricNames.webhookNotRegistered,
  not_live: metricNames.webhookNotRegistered,
  event_missing: metricNames.webhookNotRegistered,
  registered_twice: metricNames.webhookRegisteredTwice,
  webhook_unreachable: metricNames.webhookUnreachable,
  deliveries_missing: metricNames.deliveriesMissing,
  deliveries_given_up: metricNames.deliveriesGivenUp,
  history_unreadable: metricNames.webhookAuditIncomplete,
  credential_refused: metricNames.webhookAuditIncomplete,
  service_unreachable: metricNames.webhookAuditIncomplete,
};

const weights: Readonly<Partial<Record<FindingKind, number>>> = auditIncompleteWeights;

/**
 * Checks that our URL is registered correctly, and that what was delivered to it is stored. It only reads:
 * what is wrong is logged with the command to run, and counted once per kind. Throws unexpected errors.
 */
export function createWebhookAudit(parts: WebhookAuditParts): () => Promise<AuditReport> {
  const { telemetry, stackName } = parts;
  return async function auditWebhooks() {
    try {
      const { millisecondsMax = webhookAuditSecondsMax * 1000, reconciliation } = parts;
      const signal = AbortSignal.timeout(millisecondsMax);
      const { account, found } = await audit(parts, signal);
      const registration = report(found);
      if (account === undefined || reconciliation === undefined) return { findings: registration };
      const webhooks = account.webhooks.filter(({ url }) => isSameUrl(url, parts.expected.url));
      const { client } = account;
      if (webhooks.length === 0) return { findings: registration };
      const issues = await reconcileAudit(reconciliation, { client, webhooks, signal, telemetry });
      return { findings: [...registration, ...report(issues)] };
    } finally {
      telemetry.flush();
    }
  };

  function report(found: readonly Finding[]): AuditReport['findings'] {
    for (const kind of new Set(found.map(({ kind }) => kind)))
      telemetry.count(metrics[kind], weights[kind] ?? 1);
    return found.map(({ kind, detail, fix }) => {
      const finding = { kind, detail, command: fixCommand({ fix }, stackName) };
      telemetry.log('error', 'webhook audit found', finding);
      return finding;
    });
  }
}

interface ListedAccount {
  readonly client: PaymentServiceClient;
  readonly webhooks: readonly Webhook[];
}

async function audit(
  parts: WebhookAuditParts,
  signal: AbortSignal,
): Promise<{ readonly account?: ListedAccount; readonly found: readonly Finding[] }> {
  const { credential, expected, telemetry } = parts;
  try {
    const account = await listWebhooks(parts, signal);
    const { webhooks } = account;
    const found = auditRegistrations(webhooks, expected);
    telemetry.log('notice', 'webhook audited', { webhooks: webhooks.length, findings: found.length });
    return { account, found };
  } catch (error) {
    const fault = faultOf(error, credential.kind);
    if (fault === undefined) throw error;
    return { found: [fault] };
  }
}

async function listWebhooks(
  { service, credential }: WebhookAuditParts,
  signal: AbortSignal,
): Promise<ListedAccount> {
  let refusal: Error = new NoLiveKeyError('There is no credential to call the payment service with.');
  for (const authentication of await credential.authentications()) {
    try {
      const client = createPaymentServiceClient({ ...service, authentication });
      const webhooks: Webhook[] = [];
      for await (const webhook of client.allWebhooks({ signal })) webhooks.push(webhook);
      return { client, webhooks };
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
