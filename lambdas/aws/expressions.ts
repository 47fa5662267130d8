import { isDeepStrictEqual } from 'node:util';
import { hasValue, toItem, type Values } from './items.ts';

/** A condition; an attribute is written as `#` and its name. */
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

/** The parameters of an update. */
export function updateOf({ set = {}, setIfAbsent = {}, add = {} }: Edit, condition?: Condition) {
  const [given, removed] = [true, false].map((isGiven) =>
    Object.keys(set).filter((name) => hasValue(set[name]) === isGiven),
  ) as [string[], string[]];
  const UpdateExpression = [
    clause('SET', [
      ...given.map((name) => `#${name} = :set_${name}`),
      ...Object.keys(setIfAbsent).map((name) => `#${name} = if_not_exists(#${name}, :init_${name})`),
    ]),
    clause(
      'ADD',
      Object.keys(add).map((name) => `#${name} :add_${name}`),
    ),
    clause(
      'REMOVE',
      removed.map((name) => `#${name}`),
    ),
  ].join('');
  const values = {
    ...prefixed(':set_', set),
    ...prefixed(':init_', setIfAbsent),
    ...prefixed(':add_', add),
    ...condition?.values,
  };
  return {
    UpdateExpression,
    ...(condition && { ConditionExpression: condition.text }),
    ...placeholders(`${UpdateExpression} ${condition?.text}`, values),
  };
}

export const conditionOf = ({ text, values = {} }: Condition) => ({
  ConditionExpression: text,
  ...placeholders(text, values),
});

/** The parameters of a query. */
export const keyCondition = (text: string, values: Values) => ({
  KeyConditionExpression: text,
  ...placeholders(text, values),
});

/** Every attribute name has a placeholder, because DynamoDB reserves many words. */
export function placeholders(expression: string, values: Values) {
  const ExpressionAttributeValues = toItem(values);
  const names = expression.match(/#\w+/g) ?? [];
  return {
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])),
    ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
  };
}

const clause = (verb: string, parts: readonly string[]): string =>
  parts.length === 0 ? '' : `${verb} ${parts.join(', ')} `;

const prefixed = (prefix: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));

export const isAbsent = (key: string): Condition => ({ text: `attribute_not_exists(#${key})` });

/** The row is as it was read: its counter has this value; a counter that is absent is 0. */
export const isAtCount = (key: string, counter: string, count: number): Condition =>
  count === 0
    ? { text: `attribute_not_exists(#${counter}) AND attribute_exists(#${key})` }
    : { text: `#${counter} = :count`, values: { ':count': count } };

/** What is to be set, so that one item becomes the other. */
export function differenceOf(before: Values, after: Values): Values {
  const names = Object.keys({ ...before, ...after });
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}
