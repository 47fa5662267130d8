import { AwsError } from '@payhooks/cdk-local/aws-error';
import type { Operations } from './service.ts';

/** Secrets Manager with these secrets, by their ARNs. */
export function createSecretOperations(values: Readonly<Record<string, () => string>>): Operations {
  return {
    GetSecretValue({ SecretId }) {
      const value = values[String(SecretId)];
      if (value === undefined) throw new AwsError('ResourceNotFoundException', 'There is no such secret.');
      return { ARN: SecretId, Name: 'keys', SecretString: value(), VersionStages: ['AWSCURRENT'] };
    },
  };
}
