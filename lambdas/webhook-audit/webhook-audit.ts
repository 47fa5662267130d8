import {
  createPaymentServiceClient,
  type TransportOptions,
  UnauthenticatedError,
  type UnreadableWebhook,
  type Webhook,
} from '@payhooks/payment-service';
import { webhookAuditSecondsMax } from '../contract/limits.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { auditRegistrations, type ExpectedRegistration, isSameUrl } from './audit.ts';
import type { Credential } from './credential.ts';
import { faultOf } from './fault.ts';
import { type AuditReport, report } from './finding.ts';
import { type ReconciliationParts, reconcileAudit } from './reconcile-audit.ts';

export interface WebhookAuditParts {
  readonly service: TransportOptions;
  readonly credential: Credential;
  readonly expected: ExpectedRegistration;
  /** Used in the suggested commands. */
  readonly stackName: string;
  /** After this long an audit gives up. */
  readonly millisecondsMax?: number;
  readonly reconciliation: ReconciliationParts;
  readonly telemetry: Telemetry;
}

/**
 * Checks that our URL is registered correctly, and that what was delivered to it is stored. It only reads:
 * what is wrong is logged with the command to run, and counted once per kind. Throws unexpected errors.
 */
export function createWebhookAudit(parts: WebhookAuditParts): () => Promise<AuditReport> {
  const { telemetry, stackName, expected, millisecondsMax = webhookAuditSecondsMax * 1000 } = parts;
  return async function auditWebhooks() {
    try {
      const signal = AbortSignal.timeout(millisecondsMax);
      const account = await listWebhooks(parts, signal).catch((error: unknown) => {
        const fault = faultOf(error, parts.credential);
        if (fault === undefined) throw error;
        return fault;
      });
      if ('fix' in account) return { findings: report(telemetry, stackName, [account]) };
      const { client, ...rows } = account;
      const found = auditRegistrations(rows, expected);
      const counts = { webhooks: rows.webhooks.length, unreadable: rows.unreadable.length };
      telemetry.log('notice', 'webhook audited', { ...counts, findings: found.length });
      const registration = report(telemetry, stackName, found);
      const webhooks = rows.webhooks.filter(({ url }) => isSameUrl(url, expected.url));
      if (webhooks.length === 0) return { findings: registration };
      const audited = { client, webhooks, all: rows.webhooks, signal, telemetry };
      const deliveries = await reconcileAudit(parts.reconciliation, audited);
      return { findings: [...registration, ...report(telemetry, stackName, deliveries)] };
    } finally {
      telemetry.flush();
    }
  };
}

/** With the first credential that is not refused, whose client is returned too. */
async function listWebhooks({ service, credential }: WebhookAuditParts, signal: AbortSignal) {
  let refusal: unknown;
  for (const authentication of await credential.authentications()) {
    try {
      const client = createPaymentServiceClient({ ...service, authentication });
      const webhooks: Webhook[] = [];
      const unreadable: UnreadableWebhook[] = [];
      const walk = client.allWebhooks({ signal, onUnreadable: (row) => void unreadable.push(row) });
      for await (const webhook of walk) webhooks.push(webhook);
      return { client, webhooks, unreadable };
    } catch (error) {
      if (!(error instanceof UnauthenticatedError)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
