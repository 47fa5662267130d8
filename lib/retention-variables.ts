import { variables } from '../lambdas/contract/environment.ts';
import type { Configuration } from './configuration.ts';

/** The variable of every function that stores bodies. */
export function retentionVariables({ eventRetentionDays }: Configuration): Readonly<Record<string, string>> {
  if (eventRetentionDays === undefined) return {};
  return { [variables.eventRetentionDays]: String(eventRetentionDays) };
}
