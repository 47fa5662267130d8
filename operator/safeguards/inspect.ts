import type { Deployed } from '../aws/deployed-resources.ts';
import { revertDriftOf, type Stack } from '../stack/stack.ts';
import { alarms } from './alarms.ts';
import { apis } from './apis.ts';
import { eventMappings } from './event-mappings.ts';
import { feedArchive, feedBus } from './feed-bus.ts';
import { functions } from './functions.ts';
import { logGroups, metricFilters } from './logs.ts';
import { queues } from './queues.ts';
import { roles } from './roles.ts';
import type { Fault, Safeguard } from './safeguard.ts';
import { schedules } from './schedules.ts';
import { tables } from './tables.ts';

export { describeDeployed } from '../aws/deployed-resources.ts';

/** In the order in which they are repaired: a metric filter needs its log group. */
export function safeguardsOf(stack: Stack): readonly Safeguard[] {
  const everywhere = [eventMappings, tables, logGroups, metricFilters, schedules];
  // Local mode has neither policies nor CloudWatch, and its APIs and queues are not those of AWS.
  const inAws = [queues, feedBus, feedArchive, functions, roles, apis, alarms];
  const fix = revertDriftOf(stack);
  return [...everywhere, ...(stack.localUrl === undefined ? inAws : [])].map(({ type, inspect: look }) => ({
    type,
    inspect: async (deployed) =>
      (await look(deployed)).map((fault) => (fault.repair ? fault : { fix, ...fault })),
  }));
}

/**
 * Everything that is not as it was deployed. What could not be read does not hide it: an error is thrown only
 * when nothing else was found.
 */
export async function inspect(deployed: Deployed): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  const errors: unknown[] = [];
  for (const safeguard of safeguardsOf(deployed.stack)) {
    try {
      faults.push(...(await safeguard.inspect(deployed)));
    } catch (error) {
      errors.push(error);
    }
  }
  if (faults.length === 0 && errors.length > 0) throw errors[0];
  return faults;
}
