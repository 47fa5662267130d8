import type { BusEvent, EventLog } from './emulators/event-log.ts';
import type { Functions } from './functions/functions.ts';
import type { RuleModel } from './template/rules.ts';

interface EventRulesOptions {
  readonly models: readonly RuleModel[];
  readonly events: EventLog;
  readonly invoke: Functions['invoke'];
  /** Receives a sentence about an invocation that was not possible. */
  readonly onFault: (sentence: string) => void;
}

const eventsPerRead = 100;

/**
 * Invokes the targets of rules with each event that is put on the bus from now on, once: a function that
 * fails is not invoked again. Returns a function that lets what is under way finish.
 */
export function startEventRules({ models, events, invoke, onFault }: EventRulesOptions) {
  const underWay = new Set<Promise<void>>();
  let last = events.latest()?.number ?? 0;

  const target = (rule: RuleModel, functionName: string, event: BusEvent): void => {
    const invocation = invoke(functionName, event)
      .then(
        () => undefined,
        (error: unknown) => onFault(`The rule ${rule.name} was left out: ${String(error)}`),
      )
      .finally(() => underWay.delete(invocation));
    underWay.add(invocation);
  };
  const route = (event: BusEvent): void => {
    for (const rule of models.filter(({ pattern }) => matches(pattern, event))) {
      for (const functionName of rule.functionNames) target(rule, functionName, event);
    }
  };
  const unsubscribe = events.subscribe(() => {
    let read = events.after(last, eventsPerRead);
    for (; read.length > 0; read = events.after(last, eventsPerRead)) {
      for (const { number, text } of read) {
        last = number;
        route(JSON.parse(text) as BusEvent);
      }
    }
  });
  return async function stopEventRules() {
    unsubscribe();
    await Promise.all(underWay);
  };
}

const matches = (pattern: RuleModel['pattern'], event: BusEvent): boolean =>
  (['source', 'detail-type'] as const).every((field) => pattern[field]?.includes(event[field]) ?? true);
