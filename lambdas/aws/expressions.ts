import { isDeepStrictEqual } from 'node:util';
import { hasValue, toItem, type Values } from './items.ts';

/** A condition, also of a query or a filter; an attribute is written as `#` and its name. */
export interface Condition {
  readonly text: string;
  readonly values?: Values;
}

/** What an update does to the attributes of an item, by name. */
export interface Edit {
  /** An attribute is removed that is to have no value. */
  readonly set?: Values;
  readonly setIfAbsent?: Values;
  /** To numbers and sets. */
  readonly add?: Values;
}

/**
 * Expressions as parameters of a request. Every attribute name has a placeholder, because DynamoDB reserves
 * many words.
 */
export function parametersOf<Texts extends Record<string, string | undefined>>(
  expressions: Texts,
  values: Values = {},
) {
  const ExpressionAttributeValues = toItem(values);
  const names = Object.values(expressions).join(' ').match(/#\w+/g) ?? [];
  return {
    ...expressions,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
    ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
  };
}

export const conditionOf = ({ text, values }: Condition) =>
  parametersOf({ ConditionExpression: text }, values);

export function updateOf({ set = {}, setIfAbsent = {}, add = {} }: Edit, condition?: Condition) {
  const isGiven = (name: string): boolean => hasValue(set[name]);
  const clauses = {
    SET: [
      ...Object.keys(set)
        .filter(isGiven)
        .map((name) => `#${name} = :set_${name}`),
      ...Object.keys(setIfAbsent).map((name) => `#${name} = if_not_exists(#${name}, :init_${name})`),
    ],
    ADD: Object.keys(add).map((name) => `#${name} :add_${name}`),
    REMOVE: Object.keys(set).flatMap((name) => (isGiven(name) ? [] : `#${name}`)),
  };
  const UpdateExpression = Object.entries(clauses)
    .flatMap(([verb, parts]) => (parts.length === 0 ? [] : `${verb} ${parts.join(', ')}`))
    .join(' ');
  const given = { ...prefixed(':set_', set), ...prefixed(':init_', setIfAbsent), ...prefixed(':add_', add) };
  const expressions = { UpdateExpression, ConditionExpression: condition?.text };
  return parametersOf(expressions, { ...given, ...condition?.values });
}

const prefixed = (prefix: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));

/** The row is as it was read: absent, or its counter has this value; a counter that is absent is 0. */
export function isAsRead(key: string, counter: string, count: number | undefined): Condition {
  if (count === undefined) return isAbsent(key);
  if (count === 0) return { text: `attribute_not_exists(#${counter}) AND attribute_exists(#${key})` };
  return { text: `#${counter} = :count`, values: { ':count': count } };
}

export const isAbsent = (key: string): Condition => ({ text: `attribute_not_exists(#${key})` });

/** What is to be set, so that one item becomes the other. */
export function differenceOf(before: Values, after: Values): Values {
  const names = Object.keys({ ...before, ...after });
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}
