import { randomUUID } from 'node:crypto';
import { account, arnOf, region } from './account.ts';
import type { ScheduleModel } from './template/invocations.ts';

interface SchedulesOptions {
  readonly models: readonly ScheduleModel[];
  /** Whether a schedule is on now; all of them by default. */
  readonly isEnabled?: (name: string) => boolean;
  readonly invoke: (functionName: string, event: unknown) => Promise<unknown>;
  /** Receives a sentence about an invocation that was not possible. */
  readonly onFault: (sentence: string) => void;
  /** The time between two invocations, by default that of the template. */
  readonly intervalMilliseconds?: ((model: ScheduleModel) => number) | undefined;
  /** The time until the first invocations; by default long enough for the caller to finish its set-up. */
  readonly firstAfterMilliseconds?: number | undefined;
}

export type Schedules = ReturnType<typeof startSchedules>;

const defaultFirstAfterMilliseconds = 3_000;

/** Invokes each target soon after the start, and then at its rate. */
export function startSchedules(options: SchedulesOptions) {
  const running = options.models.map((model) => startSchedule(model, options));
  return {
    /** Invokes the target of every schedule now, after an invocation that is under way. */
    async run() {
      await Promise.all(running.map((one) => one.run()));
    },
    /** Lets what is under way finish; nothing more is invoked. */
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}

/** One invocation at a time: an invocation that would overlap the previous one is left out. */
function startSchedule(model: ScheduleModel, options: SchedulesOptions) {
  const { invoke, onFault, firstAfterMilliseconds = defaultFirstAfterMilliseconds } = options;
  const { isEnabled = () => true } = options;
  const intervalMilliseconds = options.intervalMilliseconds?.(model) ?? model.intervalMilliseconds;
  let underWay: Promise<void> | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const invokeTarget = async (): Promise<void> => {
    if (!isEnabled(model.name)) return;
    underWay ??= invoke(model.functionName, model.input ?? scheduledEvent(model))
      .then(
        () => undefined,
        (error: unknown) => onFault(`The schedule ${model.name} was left out: ${String(error)}`),
      )
      .finally(() => {
        underWay = undefined;
      });
    await underWay;
  };
  const first = setTimeout(() => {
    void invokeTarget();
    timer = setInterval(() => void invokeTarget(), intervalMilliseconds);
  }, firstAfterMilliseconds);
  return {
    async run() {
      await underWay;
      if (!stopped) await invokeTarget();
    },
    async stop() {
      stopped = true;
      clearTimeout(first);
      clearInterval(timer);
      await underWay;
    },
  };
}

/** EventBridge Scheduler's event when the template sets no input. */
function scheduledEvent({ name }: ScheduleModel) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account,
    time: new Date().toISOString(),
    region,
    resources: [arnOf('scheduler', `schedule/default/${name}`)],
    detail: '{}',
  };
}
