import type { MappingModel, StreamMappingModel } from '../template/invocations.ts';
import type { Mapping } from './queue-mapping.ts';

export type AnyMappingModel = MappingModel | StreamMappingModel;

/** What an update can change. */
export type MappingChanges = Partial<
  Pick<StreamMappingModel, 'enabled' | 'failureQueueArn' | 'reportsItemFailures'>
>;

/** The states of Lambda. */
type MappingState = 'Enabled' | 'Disabled' | 'Enabling' | 'Disabling' | 'Updating';

/** A mapping that can be switched off and on, and changed, while everything else runs. */
export interface SwitchableMapping {
  readonly model: AnyMappingModel;
  readonly state: MappingState;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Takes effect once the batches in flight are handled. */
  update(changes: MappingChanges): void;
  stop(): Promise<void>;
}

export async function createSwitchableMapping<Model extends AnyMappingModel>(
  model: Model,
  start: (model: Model) => Mapping | Promise<Mapping>,
  now: () => number = Date.now,
): Promise<SwitchableMapping> {
  let current = model;
  let running = model.enabled ? await start(model) : undefined;
  let state: MappingState = model.enabled ? 'Enabled' : 'Disabled';
  let modifiedAt = now();
  let changed = Promise.resolve();
  const apply = async (next: Model): Promise<void> => {
    await running?.stop();
    running = next.enabled ? await start(next) : undefined;
    if (next === current) state = next.enabled ? 'Enabled' : 'Disabled';
  };
  return {
    get model() {
      return current;
    },
    get state() {
      return state;
    },
    get modifiedAt() {
      return modifiedAt;
    },
    update(changes) {
      const next = { ...current, ...changes };
      if (!next.enabled) state = 'Disabling';
      else state = current.enabled ? 'Updating' : 'Enabling';
      current = next;
      modifiedAt = now();
      changed = changed.then(() => apply(next));
    },
    async stop() {
      await changed;
      await running?.stop();
    },
  };
}
