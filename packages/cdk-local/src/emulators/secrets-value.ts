import { AwsError, type Parameters } from './aws-json.ts';
import type { Version } from './secrets-stages.ts';

const valueBytesMax = 65_536;

/** The value in a request, as it is kept. Throws the service's refusal of none, two, or a large one. */
export function secretValue(parameters: Parameters): Pick<Version, 'SecretString' | 'SecretBinary'> {
  const { SecretString, SecretBinary } = parameters as Pick<Version, 'SecretString' | 'SecretBinary'>;
  if ((SecretString === undefined) === (SecretBinary === undefined)) {
    throw new AwsError('InvalidParameterException', 'You must provide either SecretString or SecretBinary.');
  }
  const bytes =
    SecretString === undefined ? Buffer.from(SecretBinary ?? '', 'base64') : Buffer.from(SecretString);
  if (bytes.byteLength > valueBytesMax) {
    throw new AwsError(
      'InvalidParameterException',
      `The secret value is longer than ${valueBytesMax} bytes.`,
    );
  }
  return SecretString === undefined ? { SecretBinary: SecretBinary ?? '' } : { SecretString };
}
