import {
  createPaymentServiceClient,
  type TransportOptions,
  UnauthenticatedError,
  type Webhook,
} from '@payhooks/payment-service';
import { webhookAuditSecondsMax } from '../contract/limits.ts';
import { type MetricName, metricNames } from '../contract/metrics.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import {
  auditRegistrations,
  type ExpectedRegistration,
  fixCommand,
  type IssueKind,
  type RegistrationIssue,
} from './audit.ts';
import type { Credential } from './credential.ts';
import { type Fault, type FaultKind, faultOf } from './fault.ts';
import { NoLiveKeyError } from './live-keys.ts';

export interface WebhookAuditParts {
  readonly service: TransportOptions;
  readonly credential: Credential;
  readonly expected: ExpectedRegistration;
  /** Used in the suggested commands. */
  readonly stackName: string;
  /** After this long an audit gives up. */
  readonly millisecondsMax?: number;
  readonly telemetry: Telemetry;
}

/** The result of an audit, for an operator who invokes the function by hand. */
export interface AuditReport {
  readonly findings: readonly {
    readonly kind: IssueKind | FaultKind;
    readonly detail: string;
    /** The suggested fix, or the command to run first. */
    readonly command: string;
  }[];
}

const metrics: Readonly<Record<IssueKind | FaultKind, MetricName>> = {
  not_registered: metricNames.webhookNotRegistered,
  not_live: metricNames.webhookNotLive,
  event_missing: metricNames.webhookEventMissing,
  registered_twice: metricNames.webhookRegisteredTwice,
  credential_refused: metricNames.auditCredentialRefused,
  service_unreachable: metricNames.auditServiceUnreachable,
};

/**
 * Checks that our URL is registered correctly. It only reads: what is wrong is logged with the command that
 * fixes it, and counted once per kind. Throws unexpected errors.
 */
export function createWebhookAudit(parts: WebhookAuditParts): () => Promise<AuditReport> {
  const { telemetry, stackName } = parts;
  return async function auditWebhooks() {
    try {
      const found = await audit(parts);
      for (const kind of new Set(found.map(({ kind }) => kind))) telemetry.count(metrics[kind]);
      const findings = found.map(({ kind, detail, fix }) => {
        const finding = { kind, detail, command: fixCommand({ fix }, stackName) };
        telemetry.log('error', 'webhook audit found', finding);
        return finding;
      });
      return { findings };
    } finally {
      telemetry.flush();
    }
  };
}

async function audit(parts: WebhookAuditParts): Promise<readonly (RegistrationIssue | Fault)[]> {
  const { credential, expected, telemetry } = parts;
  try {
    const webhooks = await listWebhooks(parts);
    const issues = auditRegistrations(webhooks, expected);
    telemetry.log('info', 'webhook audited', { webhooks: webhooks.length, findings: issues.length });
    return issues;
  } catch (error) {
    const fault = faultOf(error, credential.kind);
    if (fault === undefined) throw error;
    return [fault];
  }
}

async function listWebhooks({
  service,
  credential,
  millisecondsMax = webhookAuditSecondsMax * 1000,
}: WebhookAuditParts): Promise<readonly Webhook[]> {
  const signal = AbortSignal.timeout(millisecondsMax);
  let refusal: Error = new NoLiveKeyError('There is no credential to call the payment service with.');
  for (const authentication of await credential.authentications()) {
    try {
      const client = createPaymentServiceClient({ ...service, authentication });
      const webhooks: Webhook[] = [];
      for await (const webhook of client.allWebhooks({ signal })) webhooks.push(webhook);
      return webhooks;
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
