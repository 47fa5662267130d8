import { type Deployment, revertDriftOf } from './deployment.ts';

const fixes: readonly (readonly [error: RegExp, fix: string])[] = [
  [
    /^InvalidRequest/,
    'a secret that is marked for deletion comes back with: aws secretsmanager restore-secret --secret-id ARN',
  ],
  [
    /^DecryptionFailure|^KMS/,
    'the KMS key of the secret has to be there, enabled, and to allow kms:Decrypt to you and to the verifier',
  ],
];

/** A suggested fix for an error that AWS itself tells of, beside missing permissions and haste. */
export function suggestedFixOf({ name }: Error, deployment: Deployment): string {
  if (/^ResourceNotFound|^NotFound/.test(name)) {
    return `something of the stack is gone: ${revertDriftOf(deployment)}`;
  }
  return fixes.find(([error]) => error.test(name))?.[1] ?? 'run it again; docs/runbook.md when it stays so';
}
