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
  let running = model.enabled ? await start(model) : undefined;
  let changed = Promise.resolve();
  const mapping = {
    model,
    state: (model.enabled ? 'Enabled' : 'Disabled') as MappingState,
    modifiedAt: now(),
    update(changes: MappingChanges): void {
      const next = { ...mapping.model, ...changes };
      const begins = mapping.model.enabled ? 'Updating' : 'Enabling';
      Object.assign(mapping, { model: next, modifiedAt: now(), state: next.enabled ? begins : 'Disabling' });
      changed = changed.then(async () => {
        await running?.stop();
        running = next.enabled ? await start(next) : undefined;
        if (next === mapping.model) mapping.state = next.enabled ? 'Enabled' : 'Disabled';
      });
    },
    async stop(): Promise<void> {
      await changed;
      await running?.stop();
    },
  };
  return mapping;
}
