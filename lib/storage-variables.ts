import { variables } from '../lambdas/contract/environment.ts';
import type { Configuration } from './configuration.ts';

/** The variables of every function that stores events and facts: all of them must store them alike. */
export function storageVariables({
  eventRetentionDays,
  compactRows,
}: Configuration): Readonly<Record<string, string>> {
  return {
    ...(eventRetentionDays === undefined
      ? {}
      : { [variables.eventRetentionDays]: String(eventRetentionDays) }),
    ...(compactRows ? { [variables.compactRows]: 'true' } : {}),
  };
}
