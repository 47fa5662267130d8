import type { AuditReport } from '../../lambdas/webhook-audit/webhook-audit.ts';

/** What an audit found, and whether it did all its work; an audit that could not throws its findings. */
export async function reportOf(audit: () => Promise<AuditReport>) {
  try {
    return { ...(await audit()), isComplete: true };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'AuditIncompleteError') throw error;
    return { findings: (error as Error & AuditReport).findings, isComplete: false };
  }
}
