import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import { createOperations } from '../../lambdas/operations/operations.ts';
import type { OperationsParts } from '../../lambdas/operations/parts.ts';
import { meaningOf } from './fold.ts';
import { recordTelemetry } from './telemetry.ts';

type Stores = OperationsParts['events'] & OperationsParts['transactions'] & OperationsParts['orders'];

interface OperationsOver extends Partial<OperationsParts> {
  readonly reader: Pick<Stores, 'find' | 'summaries' | 'get' | 'getAll'>;
  readonly writer: Omit<Stores, 'find' | 'summaries' | 'get' | 'getAll'>;
  readonly waiting: OperationsParts['waiting'];
}

/** The operations API over both tables, such as those of `memoryStores`. */
export function operationsOver({ reader, writer, ...parts }: OperationsOver): HttpApi {
  const stores = { ...reader, ...writer };
  return createOperations({
    events: stores,
    transactions: stores,
    orders: stores,
    meaningOf,
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-21T12:00:00.000Z'),
    telemetry: recordTelemetry(),
    ...parts,
  });
}
