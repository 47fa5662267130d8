import { AwsError } from '@payhooks/cdk-local/aws-error';
import { cancelled } from '@payhooks/cdk-local/transaction-rules';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';

/** What can happen to a request of the AWS SDK. */
const kinds = [
  /** The error of a service that throttles its caller. Nothing is carried out. */
  'throttle',
  /** An internal error of the service. Nothing is carried out. */
  'error-500',
  /** The service is unavailable. Nothing is carried out. */
  'error-503',
  /** The connection is reset, and nothing is carried out. */
  'reset-before',
  /** The request is carried out, and the connection is reset instead of a response. */
  'reset-after',
  /** The request is carried out, and no response ever comes. */
  'timeout',
  /** The request is carried out, and the response comes late. */
  'slow',
  /** Every second entry of a batch is not carried out, and the response names those. Other requests pass. */
  'partial',
  /** The request is carried out, and the response breaks off in the middle of its JSON. */
  'malformed',
  /**
   * The request is carried out twice, and the response is the second one: a conditional write fails by its
   * own first attempt, whose response was lost.
   */
  'repeated',
] as const;
/** The last only for a transaction, or a write next to one: another one writes the same item. */
export type FaultKind = (typeof kinds)[number] | 'conflict';

/** A time in which every call of a service fails. */
export interface Outage {
  readonly service: string;
  readonly from: number;
  readonly until: number;
}

export type Faults = ReturnType<typeof createFaults>;

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
}) {
  const { clock, random, rate, outages } = parts;
  let isAllowed = true;
  /** By service, until when a fault lasts: all attempts of a call fail, and perhaps not the next call. */
  const hiccups = new Map<string, number>();
  return {
    /** The fault that the next attempt of a call meets. */
    next(service: string, operation: string): FaultKind | undefined {
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
    /** From now on there are some, or none. */
    allow(given: boolean): void {
      isAllowed = given;
    },
  };
}

type Refusal = 'throttle' | 'error-500' | 'error-503';

const errorCodes: Readonly<Record<string, Partial<Readonly<Record<Refusal, string>>>>> = {
  DynamoDB_20120810: { throttle: 'ProvisionedThroughputExceededException' },
  AmazonSQS: { throttle: 'RequestThrottled', 'error-500': 'InternalFailure' },
  secretsmanager: { 'error-500': 'InternalServiceError' },
  AWSEvents: { 'error-500': 'InternalException' },
};
const anyService: Readonly<Record<Refusal, Pick<AwsError, 'status' | 'code'>>> = {
  throttle: { status: 400, code: 'ThrottlingException' },
  'error-500': { status: 500, code: 'InternalServerError' },
  'error-503': { status: 503, code: 'ServiceUnavailable' },
};

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
  const refused = (code: string, status: number) => new AwsError(code, 'A simulated fault.', { status });
  if (kind === 'conflict') return refused('TransactionConflictException', 400);
  if (kind !== 'throttle' && kind !== 'error-500' && kind !== 'error-503') return undefined;
  const { status, code } = anyService[kind];
  return refused(errorCodes[service]?.[kind] ?? code, status);
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
