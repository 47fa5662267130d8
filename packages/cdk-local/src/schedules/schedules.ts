import { randomUUID } from 'node:crypto';
import { account, region } from '../emulators/account.ts';
import type { ScheduleModel } from '../template/model.ts';

export interface SchedulesOptions {
  readonly models: readonly ScheduleModel[];
  readonly invoke: (functionName: string, event: unknown) => Promise<unknown>;
  /** Takes a sentence about an invocation that could not even be tried. */
  readonly onFault: (sentence: string) => void;
  /** When the first turn is; long enough for whoever starts the pipeline to set it up. */
  readonly firstAfterMilliseconds?: number;
}

export interface Schedules {
  /** A turn of every schedule now, after the one that may be under way. */
  run(): Promise<void>;
  /** Lets what is under way finish; no further turn begins. */
  stop(): Promise<void>;
}

const defaultFirstAfterMilliseconds = 3_000;

/** Invokes each function shortly after the start, and then at its rate. */
export function startSchedules(options: SchedulesOptions): Schedules {
  const running = options.models.map((model) => startSchedule(model, options));
  return {
    async run() {
      await Promise.all(running.map((one) => one.run()));
    },
    async stop() {
      await Promise.all(running.map((one) => one.stop()));
    },
  };
}

/** One invocation at a time: a turn that falls into the one before is left out. */
function startSchedule(model: ScheduleModel, options: SchedulesOptions): Schedules {
  const { invoke, onFault, firstAfterMilliseconds = defaultFirstAfterMilliseconds } = options;
  let underWay: Promise<void> | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const turn = (): Promise<void> => {
    underWay ??= invoke(model.functionName, model.input ?? scheduledEvent(model))
      .then(
        () => undefined,
        (error: unknown) => onFault(`The schedule ${model.name} was left out: ${String(error)}`),
      )
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };
  const first = setTimeout(() => {
    void turn();
    timer = setInterval(() => void turn(), model.intervalMilliseconds);
  }, firstAfterMilliseconds);
  return {
    async run() {
      await underWay;
      if (!stopped) await turn();
    },
    async stop() {
      stopped = true;
      clearTimeout(first);
      clearInterval(timer);
      await underWay;
    },
  };
}

/** What EventBridge Scheduler sends where the template sets no input. */
function scheduledEvent({ name }: ScheduleModel) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account,
    time: new Date().toISOString(),
    region,
    resources: [`arn:aws:scheduler:${region}:${account}:schedule/default/${name}`],
    detail: '{}',
  };
}
