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
import { type AuditReport, countFindings, type Finding, report } from './finding.ts';
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
 * what is wrong is logged with the command to run, and its kinds are counted. Throws unexpected errors.
 */
export function createWebhookAudit(parts: WebhookAuditParts): () => Promise<AuditReport> {
  const { telemetry, stackName, expected, millisecondsMax = webhookAuditSecondsMax * 1000 } = parts;
  return async function auditWebhooks() {
    const findings: AuditReport['findings'][number][] = [];
    const add = (found: readonly Finding[]) => findings.push(...report(telemetry, stackName, found));
    let isDone = false;
    try {
      const signal = AbortSignal.timeout(millisecondsMax);
      const account = await listWebhooks(parts, signal).catch((error: unknown) => {
        const fault = faultOf(error, parts.credential);
        if (fault === undefined) throw error;
        return fault;
      });
      if ('fix' in account) {
        add([account]);
        return { findings };
      }
      const { client, ...rows } = account;
      const found = auditRegistrations(rows, expected);
      const counts = { webhooks: rows.webhooks.length, unreadable: rows.unreadable.length };
      telemetry.log('notice', 'webhook audited', { ...counts, findings: found.length });
      add(found);
      const webhooks = rows.webhooks.filter(({ url }) => isSameUrl(url, expected.url));
      const audited = { client, webhooks, all: rows.webhooks, signal, telemetry };
      if (webhooks.length > 0) add(await reconcileAudit(parts.reconciliation, audited));
      isDone = true;
      return { findings };
    } finally {
      countFindings(telemetry, { findings }, { isDone });
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
