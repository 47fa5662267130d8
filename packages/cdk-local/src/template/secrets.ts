import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { Resource } from './resources.ts';
import { number, object } from './schema.ts';

export const secretProperties = object({
  GenerateSecretString: v.optional(object({ PasswordLength: v.optional(number, 32) })),
});

/**
 * The first value is a new one each time, of hexadecimal digits whatever characters are excluded; a secret
 * that exists already keeps its own.
 */
export function readSecret(resource: Resource) {
  const { GenerateSecretString } = resource.read(secretProperties);
  const length = GenerateSecretString?.PasswordLength;
  const value = length === undefined ? undefined : randomBytes(length).toString('hex').slice(0, length);
  return { name: resource.logicalId, arn: resource.attribute(), value };
}
