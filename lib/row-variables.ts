import { variables } from '../lambdas/contract/environment.ts';
import type { Configuration } from './configuration.ts';

type Variables = Readonly<Record<string, string>>;

/** The variables of the functions that read bodies and store events: they must do both alike. */
export function bodyVariables(configuration: Configuration): Variables {
  const { eventMeanings = {}, eventRetentionDays, transactionRows } = configuration;
  return {
    ...(!transactionRows && { [variables.noTransactionRows]: 'true' }),
    ...(eventRetentionDays !== undefined && { [variables.eventRetentionDays]: String(eventRetentionDays) }),
    ...(Object.keys(eventMeanings).length > 0 && {
      [variables.eventMeanings]: JSON.stringify(eventMeanings),
    }),
  };
}

/** The variable of the functions that show orders: the same order must have the same sequence everywhere. */
export function sequenceVariables({ sequenceBase }: Configuration): Variables {
  return sequenceBase === 0 ? {} : { [variables.sequenceBase]: String(sequenceBase) };
}
