import { randomInt } from 'node:crypto';
import * as v from 'valibot';
import type { Resource } from './resources.ts';
import { flag, number, object, text } from './schema.ts';

export const secretProperties = object({
  GenerateSecretString: v.optional(
    object({
      ExcludeCharacters: v.optional(text, ''),
      ExcludePunctuation: v.optional(flag, false),
      ExcludeUppercase: v.optional(flag, false),
      PasswordLength: v.optional(number, 32),
    }),
  ),
});

type Generation = NonNullable<v.InferOutput<typeof secretProperties>['GenerateSecretString']>;

/** The first value is a new one each time; a secret that exists already keeps its own. */
export function readSecret(resource: Resource) {
  const { GenerateSecretString } = resource.read(secretProperties);
  const value = GenerateSecretString && generate(GenerateSecretString);
  return { name: resource.logicalId, arn: resource.attribute(), value };
}

function generate(given: Generation): string {
  const lowercase = 'abcdefghijklmnopqrstuvwxyz';
  const kinds = [
    lowercase,
    given.ExcludeUppercase ? '' : lowercase.toUpperCase(),
    '0123456789',
    given.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  ];
  const characters = [...kinds.join('')].filter((one) => !given.ExcludeCharacters.includes(one));
  return Array.from({ length: given.PasswordLength }, () => characters[randomInt(characters.length)]).join(
    '',
  );
}
