import { readAlarm, startAlarms } from '@payhooks/cdk-local/emulators';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';
import type { Synthesis } from '../synthesis.ts';

/**
 * The alarms of a synthesised stack as CloudWatch would evaluate them, until the test ends. Metrics arrive as lines in
 * the embedded metric format; dimensions name resources by their path in the construct tree.
 */
export function watchAlarms(stack: Synthesis, clock: () => number) {
  const models = stack.ofType('AWS::CloudWatch::Alarm').map(([logicalId, { Properties }]) => {
    const resolved = withPaths(stack, Properties);
    return readAlarm({ logicalId, read: (schema) => v.parse(schema, resolved) }, 'payhooks-production');
  });
  const fired = new Set<string>();
  const alarms = startAlarms({
    models,
    clock,
    onChange: ({ name, state }) => state === 'ALARM' && fired.add(name),
  });
  onTestFinished(alarms.stop);
  return {
    onLine: alarms.onLine,
    /** The names of the alarms that are on. */
    firing: (): string[] =>
      alarms
        .list()
        .filter(({ state }) => state === 'ALARM')
        .map(({ name }) => name),
    /** Those that are on or have been on. */
    fired: (): string[] => {
      alarms.list();
      return [...fired].sort();
    },
  };
}

function withPaths(stack: Synthesis, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => withPaths(stack, one));
  if (typeof value !== 'object' || value === null) return value;
  if ('Ref' in value || 'Fn::GetAtt' in value) return stack.pathOf(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withPaths(stack, one)]));
}
