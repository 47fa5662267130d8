import { AwsError } from './aws-error.ts';
import type { Operations } from './service.ts';

/** Secrets Manager with the one secret that the verifier reads. */
export function createSecretOperations(arn: string, value: () => string): Operations {
  return {
    GetSecretValue({ SecretId }) {
      if (SecretId !== arn) throw new AwsError('ResourceNotFoundException', 'There is no such secret.');
      return { ARN: arn, Name: 'keys', SecretString: value(), VersionStages: ['AWSCURRENT'] };
    },
  };
}
