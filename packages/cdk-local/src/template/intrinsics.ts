import { account, region } from '../account.ts';
import { list, parse, TemplateError, text } from './schema.ts';

/** The result of `Ref` (no attribute) or `Fn::GetAtt`; `undefined` for what is not emulated. */
export type AttributeTable = (logicalId: string, attribute: string | undefined) => string | undefined;

/** Replaces every intrinsic function in a property's value; `where` is `LogicalId.Property`. */
export type Resolve = (value: unknown, where: string) => unknown;

type Refer = (logicalId: string, attribute: string | undefined, where: string) => string;

function createRefer(attributes: AttributeTable, stackName: string): Refer {
  const pseudoParameters: Readonly<Record<string, string>> = {
    'AWS::AccountId': account,
    'AWS::Partition': 'aws',
    'AWS::Region': region,
    'AWS::StackName': stackName,
    'AWS::URLSuffix': 'amazonaws.com',
  };
  return function refer(logicalId, attribute, where) {
    const pseudo = attribute === undefined ? pseudoParameters[logicalId] : undefined;
    const value = pseudo ?? attributes(logicalId, attribute);
    if (value !== undefined) return value;
    const reference = attribute === undefined ? `Ref ${logicalId}` : `Fn::GetAtt ${logicalId}.${attribute}`;
    throw new TemplateError(`${where} needs ${reference}, which cdk-local does not emulate.`);
  };
}

export function createResolver(attributes: AttributeTable, stackName: string): Resolve {
  const refer = createRefer(attributes, stackName);
  const intrinsics: Readonly<Record<string, Resolve>> = {
    Ref: (argument, where) => refer(parse(text, argument, where), undefined, where),
    'Fn::GetAtt': (argument, where) => {
      const [logicalId, attribute] = parse(list, argument, where);
      return refer(parse(text, logicalId, where), parse(text, attribute, where), where);
    },
    'Fn::Join': (argument, where) => {
      const [separator, parts] = parse(list, argument, where);
      const resolved = parse(list, resolve(parts, where), where);
      const texts = resolved.map((part) => parse(text, part, where));
      return texts.join(parse(text, separator, where));
    },
  };

  function resolve(value: unknown, where: string): unknown {
    if (Array.isArray(value)) return value.map((one) => resolve(one, where));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name = '', argument] = entries.length === 1 ? (entries[0] ?? []) : [];
    const intrinsic = intrinsics[name];
    if (intrinsic !== undefined) return intrinsic(argument, where);
    if (/^Fn::|^Condition$/.test(name)) {
      throw new TemplateError(`${where} uses ${name}, which cdk-local does not emulate.`);
    }
    return Object.fromEntries(entries.map(([key, one]) => [key, resolve(one, `${where}.${key}`)]));
  }
  return resolve;
}
