import { AwsError } from '@payhooks/cdk-local/aws-error';
import { cancelled } from '@payhooks/cdk-local/transaction-rules';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { faultKinds, type FaultKind as LocalFault, refusalOf as localRefusal } from './fault-kinds.ts';

/** A time in which every call of a service fails. */
export interface Outage {
  readonly service: string;
  readonly from: number;
  readonly until: number;
}

export interface Faults {
  /** The fault that the next attempt of a call meets. */
  next(service: string, operation: string): FaultKind | undefined;
  /** From now on there are some, or none. */
  allow(isAllowed: boolean): void;
}

export type FaultKind = LocalFault | 'conflict';

const kinds = faultKinds as unknown as [LocalFault, ...LocalFault[]];

/** Only these can be carried out in part, so they often are. */
const batches = ['BatchGetItem', 'PutEvents'];

/** DynamoDB refuses these while a transaction writes the same item. */
const conflicting = ['TransactWriteItems', 'PutItem', 'UpdateItem', 'DeleteItem'];

/** Chooses a fault for a share of all calls, and for every call in an outage. */
export function createFaults(parts: {
  readonly clock: Clock;
  readonly random: Random;
  /** From 0 to 1. */
  readonly rate: number;
  readonly outages: readonly Outage[];
}): Faults {
  const { clock, random, rate, outages } = parts;
  let isAllowed = true;
  /** By service, until when a fault lasts: all attempts of a call fail, and perhaps not the next call. */
  const hiccups = new Map<string, number>();
  return {
    next(service, operation) {
      if (!isAllowed) return undefined;
      const now = clock.now();
      const isOut =
        now < (hiccups.get(service) ?? 0) ||
        outages.some((outage) => outage.service === service && outage.from <= now && now < outage.until);
      if (isOut) return random.pick(['error-500', 'error-503', 'throttle', 'reset-before']);
      if (random.chance(rate)) {
        if (random.chance(0.2)) hiccups.set(service, now + random.integer(100, 1_000));
        return random.pick(kinds);
      }
      if (batches.includes(operation)) return random.chance(8 * rate) ? 'partial' : undefined;
      return conflicting.includes(operation) && random.chance(2 * rate) ? 'conflict' : undefined;
    },
    allow(given) {
      isAllowed = given;
    },
  };
}

/** A call whose fault is known. */
export interface FaultyCall {
  readonly kind: FaultKind;
  readonly service: string;
  readonly operation: string;
  readonly text: string;
}

/** The error of a refusal; each service has its own codes. */
export function refusalOf(call: FaultyCall, random: Random): AwsError | undefined {
  const { kind, service, operation } = call;
  const isTransaction = operation === 'TransactWriteItems';
  if (kind === 'throttle' && isTransaction && random.chance(0.5))
    return cancellation(call.text, 'ThrottlingError', random);
  if (kind === 'conflict' && isTransaction) return cancellation(call.text, 'TransactionConflict', random);
  const conflict = { code: 'TransactionConflictException', status: 400 };
  const refusal = kind === 'conflict' ? conflict : localRefusal(kind, service);
  return refusal && new AwsError(refusal.code, 'A simulated fault.', { status: refusal.status });
}

/** A transaction that one of its items made fail. */
function cancellation(text: string, Code: string, random: Random): AwsError {
  const { TransactItems } = JSON.parse(text) as { TransactItems: readonly object[] };
  const failed = random.integer(0, TransactItems.length - 1);
  return cancelled(
    TransactItems.map((_, index) =>
      index === failed ? { Code, Message: 'A simulated fault.' } : { Code: 'None' },
    ),
  );
}
