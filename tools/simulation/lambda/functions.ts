import type { failedItems } from '@payhooks/cdk-local/failed-items';
import type { Clock } from '../clock.ts';
import type { CodeVersion, InvocationEnd, InvocationRecord } from '../history.ts';
import type { Random } from '../random.ts';
import type { Loaded, Stage } from './bundles.ts';
import { createInstance, type Instance, type InstanceParts } from './instance.ts';

/** What became of an invocation, as the event source mappings of local mode have it. */
type Invocation = Parameters<typeof failedItems>[0];
const failure = (errorType: string): Invocation => ({ ok: false, errorType, errorMessage: '' });

export interface FunctionModel {
  readonly timeoutSeconds: number;
  readonly instancesMax: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface FunctionsParts extends Pick<InstanceParts, 'onLine' | 'aws'> {
  readonly bundles: Readonly<Record<CodeVersion, Loaded>>;
  readonly models: Readonly<Record<Stage, FunctionModel>>;
  readonly clock: Clock;
  readonly random: Random;
  /** The version of a new instance: half-way through a deployment there are both. */
  readonly versionOf: (stage: Stage) => CodeVersion;
  /** What is set for a version, in addition to the variables of its function. */
  readonly variablesOf: (version: CodeVersion) => Readonly<Record<string, string>>;
  readonly skewOf: () => number;
  readonly onStart: (instance: Instance) => void;
  readonly onInvoke: (instance: Instance) => void;
  readonly onReturn: (instance: Instance) => void;
  readonly onEnd: (record: InvocationRecord) => void;
}

export type Functions = ReturnType<typeof createFunctions>;

const coldStartMilliseconds = 150;

/** Lambda: one invocation at a time per instance, new instances up to a limit, timeouts. */
export function createFunctions(parts: FunctionsParts) {
  const { clock, random, models } = parts;
  const instances = new Map<Stage, Instance[]>();
  /** What ends the invocation of an instance, or its start. */
  const busy = new Map<Instance, (end: InvocationEnd) => void>();
  let started = 0;

  function start(stage: Stage): Instance {
    started += 1;
    const version = parts.versionOf(stage);
    const instance = createInstance({
      ...{ number: started, stage, version, clock },
      load: parts.bundles[version][stage],
      environment: { ...models[stage].environment, ...parts.variablesOf(version) },
      random: random.fork(started),
      skewMilliseconds: parts.skewOf(),
      aws: parts.aws,
      onLine: parts.onLine,
    });
    parts.onStart(instance);
    return instance;
  }

  async function run(instance: Instance, event: unknown): Promise<Invocation> {
    const { number, stage, version, skewMilliseconds } = instance;
    const at = clock.now();
    const ended = Promise.withResolvers<InvocationEnd>();
    busy.set(instance, ended.resolve);
    parts.onInvoke(instance);
    const cancel = clock.after(models[stage].timeoutSeconds * 1_000, () => ended.resolve('timed_out'));
    let result: unknown;
    instance.invoke(event).then(
      (value) => {
        result = value;
        ended.resolve('returned');
      },
      () => ended.resolve('threw'),
    );
    const end = await ended.promise;
    cancel();
    busy.delete(instance);
    if (end === 'timed_out' || end === 'killed') instance.kill();
    else parts.onReturn(instance);
    parts.onEnd({ at, endedAt: clock.now(), stage, version, instance: number, skewMilliseconds, end });
    return end === 'returned' ? { ok: true, payload: JSON.stringify(result ?? null) } : failure(end);
  }

  /** Kills an instance in the middle of its invocation. */
  function kill(instance: Instance): void {
    instance.kill();
    busy.get(instance)?.('killed');
  }

  return {
    kill,
    /** `throttled`: no instance was free, and no more may start. */
    async invoke(stage: Stage, event: unknown): Promise<Invocation> {
      const all = (instances.get(stage) ?? []).filter(({ isAlive }) => isAlive);
      instances.set(stage, all);
      let free = all.find((instance) => !busy.has(instance));
      if (free === undefined) {
        if (all.length >= models[stage].instancesMax) return failure('throttled');
        free = start(stage);
        all.push(free);
        // Reserved while it starts.
        busy.set(free, () => {});
        await clock.pause(coldStartMilliseconds);
      }
      return run(free, event);
    },
    /** Ends all idle instances, such as a deployment does. */
    retireIdle(stage: Stage): void {
      for (const instance of instances.get(stage) ?? []) if (!busy.has(instance)) instance.kill();
    },
    /** Ends all instances of a version, also in the middle of an invocation. */
    endVersion(version: CodeVersion): void {
      for (const instance of [...instances.values()].flat()) if (instance.version === version) kill(instance);
    },
  };
}
