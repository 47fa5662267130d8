import { copiedBeforeMilliseconds, sequenceBaseStep } from '../../operator/limits.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import {
  deployCommandOf,
  environmentOf,
  nextCommand,
  outputOf,
  type Stack,
} from '../../operator/stack/stack.ts';
import type { Report, Session } from '../session.ts';
import { type Step, timeText } from './plan.ts';

/** A table that is ready to be used. */
export interface Restored extends Step {
  readonly streamArn?: string | undefined;
}

const viewOf = ({ source, target, at }: Step) => ({
  table: source.table,
  source: source.tableName,
  deleted: source.backup !== undefined,
  target,
  at: timeText(at),
});

export function planReport({ terminal }: Session, steps: readonly Step[]): Report {
  const restores = steps.map(viewOf);
  const rows = restores.map((step) => [
    step.table,
    step.deleted ? `${step.source} (deleted)` : step.source,
    step.at,
    step.target,
  ]);
  return {
    document: { restores },
    print: () => terminal.table(['TABLE', 'FROM', 'AS OF', 'INTO'], rows),
  };
}

/** The settings of the stack with the restored tables. Readers must see no sequence twice for two states. */
function settingsOf(stack: Stack, restored: readonly Restored[]): Readonly<Record<string, string | number>> {
  const tables = restored.map(({ source, target, streamArn = '' }) =>
    source.table === 'events' ? ['eventsTableName', target] : ['ordersTableStreamArn', streamArn],
  );
  const sequenceBase = Number(outputOf(stack, 'SequenceBase')) + sequenceBaseStep;
  return { ...Object.fromEntries(tables), sequenceBase };
}

/** After a restore, in this order (docs/recovery.md). */
function commandsAfter(stack: Stack, restored: readonly Restored[]): readonly string[] {
  // What was written after the restored time may be in no table, and reconcile alone looks at one day.
  const at = Math.min(...restored.map((table) => table.at));
  const since = timeText(at - copiedBeforeMilliseconds);
  const events = restored.find(({ source }) => source.table === 'events' && source.backup === undefined);
  const from = events && shellQuoted(events.source.tableName);
  const commands = [
    ...(from === undefined ? [] : [`restore --rows-from ${from} --at ${timeText(at)}`]),
    'dlq redrive',
    'rebuild --verify',
    'rebuild',
    `reconcile --since ${since}`,
  ].map((command) => nextCommand(stack, `payhooks ${command}`));
  return [deployCommandOf(stack), ...commands];
}

export function reportOf({ terminal }: Session, stack: Stack, restored: readonly Restored[]): Report {
  const settings = settingsOf(stack, restored);
  const next = commandsAfter(stack, restored);
  return {
    document: { restored: restored.map(viewOf), settings, next },
    print() {
      const environment = environmentOf(stack);
      const place = environment && `context.environments.${environment} in cdk.json`;
      terminal.print(`The tables are ready. Add to ${place ?? restoredProps}, and commit it:`);
      const lines = Object.entries(settings).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`);
      terminal.print(`${lines.join(',\n')}\n\nThen type, one after the other:`);
      for (const command of next) terminal.print(`  ${command}`);
    },
  };
}

/** Props take tables as CDK has them. */
const restoredProps = 'the props of Payhooks (eventsTable and ordersTable from these values)';
