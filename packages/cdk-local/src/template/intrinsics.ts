import { account, region } from '../account.ts';

/** A part of the template cannot be emulated; the message names the resource and the property. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/**
 * What `Ref` (no attribute) and `Fn::GetAtt` of a resource return; `undefined` for what is not emulated.
 */
export type AttributeTable = (logicalId: string, attribute: string | undefined) => string | undefined;

/** Replaces every intrinsic function in a property's value; `where` is `LogicalId.Property`. */
export type Resolve = (value: unknown, where: string) => unknown;

const pseudoParameters = (stackName: string): Readonly<Record<string, string>> => ({
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackName': stackName,
  'AWS::URLSuffix': 'amazonaws.com',
});

type Intrinsic = (argument: unknown, where: string) => unknown;

type Refer = (logicalId: string, attribute: string | undefined, where: string) => string;

function createRefer(attributes: AttributeTable, stackName: string): Refer {
  const pseudos = pseudoParameters(stackName);
  return (logicalId, attribute, where) => {
    const pseudo = attribute === undefined ? pseudos[logicalId] : undefined;
    const value = pseudo ?? attributes(logicalId, attribute);
    if (value !== undefined) return value;
    const reference = attribute === undefined ? `Ref ${logicalId}` : `Fn::GetAtt ${logicalId}.${attribute}`;
    throw new TemplateError(`${where} needs ${reference}, which cdk-local does not emulate.`);
  };
}

export function createResolver(attributes: AttributeTable, stackName: string): Resolve {
  const refer = createRefer(attributes, stackName);
  const intrinsics: Readonly<Record<string, Intrinsic>> = {
    Ref: (argument, where) => refer(asText(argument, where), undefined, where),
    'Fn::GetAtt': (argument, where) => {
      const [logicalId, ...attribute] = Array.isArray(argument)
        ? argument
        : asText(argument, where).split('.');
      return refer(asText(logicalId, where), asText(resolve(attribute.join('.'), where), where), where);
    },
    'Fn::Join': (argument, where) => {
      const [separator, parts] = asList(argument, where);
      return asList(resolve(parts, where), where)
        .map((part) => asText(part, where))
        .join(asText(separator, where));
    },
    'Fn::Split': (argument, where) => {
      const [separator, text] = asList(argument, where);
      return asText(resolve(text, where), where).split(asText(separator, where));
    },
    'Fn::Select': (argument, where) => {
      const [index, choices] = asList(argument, where);
      const chosen = asList(resolve(choices, where), where)[Number(resolve(index, where))];
      if (chosen === undefined) throw new TemplateError(`${where} selects an element that is not there.`);
      return chosen;
    },
    'Fn::Sub': (argument, where) => {
      const [pattern, given] = Array.isArray(argument) ? argument : [argument, {}];
      const variables = asObject(resolve(given, where), where);
      return asText(pattern, where).replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
        if (literal !== '') return `\${${name}}`;
        if (Object.hasOwn(variables, name)) return asText(variables[name], where);
        const [logicalId = '', ...attribute] = name.split('.');
        return refer(logicalId, attribute.length === 0 ? undefined : attribute.join('.'), where);
      });
    },
  };

  const resolve: Resolve = (value, where) => {
    if (Array.isArray(value)) return value.map((one) => resolve(one, where));
    if (typeof value !== 'object' || value === null) return value;
    const [first, ...others] = Object.entries(value);
    if (first !== undefined && others.length === 0) {
      const [name, argument] = first;
      const intrinsic = intrinsics[name];
      if (intrinsic !== undefined) return intrinsic(argument, where);
      if (/^Fn::|^Condition$/.test(name)) {
        throw new TemplateError(`${where} uses ${name}, which cdk-local does not emulate.`);
      }
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, resolve(one, `${where}.${name}`)]),
    );
  };
  return resolve;
}

export function asText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TemplateError(`${where} is ${JSON.stringify(value)}; expected text.`);
}

export function asList(value: unknown, where: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new TemplateError(`${where} is ${JSON.stringify(value)}; expected a list.`);
}

export function asObject(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new TemplateError(`${where} is ${JSON.stringify(value)}; expected an object.`);
}

export function asNumber(value: unknown, where: string): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new TemplateError(`${where} is ${JSON.stringify(value)}; expected a number.`);
}
