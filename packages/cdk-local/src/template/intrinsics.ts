import { account, region } from '../account.ts';
import { dictionary, list, parse, TemplateError, text } from './schema.ts';

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
  const resolvedText = (value: unknown, where: string) => parse(text, resolve(value, where), where);
  const resolvedList = (value: unknown, where: string) => parse(list, resolve(value, where), where);
  const intrinsics: Readonly<Record<string, Resolve>> = {
    Ref: (argument, where) => refer(parse(text, argument, where), undefined, where),
    'Fn::GetAtt': (argument, where) => {
      const parts = Array.isArray(argument) ? argument : parse(text, argument, where).split('.');
      const [logicalId, ...attribute] = parts as unknown[];
      return refer(parse(text, logicalId, where), resolvedText(attribute.join('.'), where), where);
    },
    'Fn::Join': (argument, where) => {
      const [separator, parts] = parse(list, argument, where);
      const texts = resolvedList(parts, where).map((part) => parse(text, part, where));
      return texts.join(parse(text, separator, where));
    },
    'Fn::Split': (argument, where) => {
      const [separator, whole] = parse(list, argument, where);
      return resolvedText(whole, where).split(parse(text, separator, where));
    },
    'Fn::Select': (argument, where) => {
      const [index, choices] = parse(list, argument, where);
      const chosen = resolvedList(choices, where)[Number(resolve(index, where))];
      if (chosen === undefined) throw new TemplateError(`${where} selects an element that does not exist.`);
      return chosen;
    },
    'Fn::Sub': (argument, where) => {
      const [pattern, given] = Array.isArray(argument) ? argument : [argument, {}];
      const variables = parse(dictionary, resolve(given, where), where);
      return parse(text, pattern, where).replaceAll(
        /\$\{(!?)([^}]+)\}/g,
        (_, literal: string, name: string) => {
          if (literal !== '') return `\${${name}}`;
          if (Object.hasOwn(variables, name)) return parse(text, variables[name], where);
          const [logicalId = '', ...attribute] = name.split('.');
          return refer(logicalId, attribute.length === 0 ? undefined : attribute.join('.'), where);
        },
      );
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
