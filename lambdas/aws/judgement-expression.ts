import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { compactAttributes, eventAttributes, waitingPartition } from '../contract/schema.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { JudgementChange } from '../ports/judgements.ts';
import { text } from './dynamodb.ts';
import { judgementItem } from './event-item.ts';

const { key, judged, waiting, expiresAt } = eventAttributes;

/** The update that judges a row, on condition that the row is as expected. */
export function judgementExpression(
  change: JudgementChange,
): Omit<UpdateItemCommandInput, 'TableName' | 'Key'> {
  const { set, removed } = changesOf(change);
  const { conditions, values } = conditionsOf(change);
  const update = [
    ...(set.length > 0 ? [`SET ${set.map(({ assignment }) => assignment).join(', ')}`] : []),
    ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
  ].join(' ');
  const condition = conditions.join(' AND ');
  const placeholders = [...`${update} ${condition}`.matchAll(/#\w+/g)].map(([one]) => one);
  return {
    UpdateExpression: update,
    ConditionExpression: condition,
    ExpressionAttributeNames: Object.fromEntries(placeholders.map((one) => [one, one.slice(1)])),
    ExpressionAttributeValues: Object.fromEntries([...set.map(({ value }) => value), ...values]),
  };
}

/** The placeholder of a value, and the value. */
type Value = readonly [string, AttributeValue];

interface Changes {
  readonly set: readonly { readonly assignment: string; readonly value: Value }[];
  readonly removed: readonly string[];
}

function changesOf({ row, judged: judgement, waiting: kind, detachBody }: JudgementChange): Changes {
  const fact = detachBody?.fact;
  return {
    set: [
      ...(judgement === null ? [] : [assign(judged, judgementItem(judgement))]),
      ...(kind == null ? [] : [assign(waiting, text(waitingPartition(row.mode, kind)))]),
      ...(fact === undefined
        ? []
        : [{ assignment: '#fact = if_not_exists(#fact, :fact)', value: [':fact', text(fact)] as const }]),
    ],
    removed: [
      ...(judgement === null ? [judged] : []),
      ...(kind === null ? [waiting] : []),
      // Only rows of 0.2.0 have it; what waits must not expire.
      ...(kind == null ? [] : [expiresAt]),
      ...(detachBody === undefined ? [] : ['body', 'body_encoding', compactAttributes.body]),
    ],
  };
}

const assign = (name: string, value: AttributeValue) => ({
  assignment: `#${name} = :${name}`,
  value: [`:${name}`, value] as const,
});

function conditionsOf({ row, expected }: JudgementChange) {
  const values: Value[] = [];
  const conditions = [`attribute_exists(#${key})`];
  const expectText = (path: string, placeholder: string, value: string): void => {
    conditions.push(`${path} = ${placeholder}`);
    values.push([placeholder, text(value)]);
  };
  const { outcome, waiting: kind, judged: judgement } = expected;
  if (outcome !== undefined) expectText('#outcome', ':expectedOutcome', outcome);
  if (kind === null) conditions.push(`attribute_not_exists(#${waiting})`);
  else if (kind !== undefined) {
    expectText(`#${waiting}`, ':expectedWaiting', waitingPartition(row.mode, kind));
  }
  if (judgement === null) conditions.push(`attribute_not_exists(#${judged})`);
  else if (judgement !== undefined) {
    const parts = ['verdict', 'by', 'at', 'reason'] as const satisfies (keyof Judgement)[];
    for (const part of parts) expectText(`#${judged}.#${part}`, `:expected_${part}`, judgement[part]);
  }
  return { conditions, values };
}
