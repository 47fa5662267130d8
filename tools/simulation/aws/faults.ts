import type { Clock } from '../clock.ts';
import type { FaultKind } from '../history.ts';
import type { Random } from '../random.ts';

/** A time in which every call of a service fails. */
export interface Outage {
  readonly service: string;
  readonly from: number;
  readonly until: number;
}

export interface Faults {
  /** The fault that the next attempt of a call meets. */
  next(service: string, callId: string, operation: string): FaultKind | undefined;
  /** From now on there are some, or none. */
  allow(isAllowed: boolean): void;
}

const kinds = [
  ...(['throttle', 'error-500', 'error-503', 'reset-before', 'reset-after'] as const),
  ...(['timeout', 'slow', 'partial', 'malformed', 'repeated'] as const),
] as const satisfies readonly FaultKind[];

/** Only these can be carried out in part, so they often are. */
const batches = ['BatchGetItem', 'PutEvents'];

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
    next(service, _callId, operation) {
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
      return batches.includes(operation) && random.chance(8 * rate) ? 'partial' : undefined;
    },
    allow(given) {
      isAllowed = given;
    },
  };
}

/** The error of a refusal; each service has its own codes. */
export function refusalOf(kind: FaultKind, service: string): { status: number; code: string } | undefined {
  if (kind === 'throttle') {
    const isDynamoDb = service === 'DynamoDB_20120810';
    return {
      status: 400,
      code: isDynamoDb ? 'ProvisionedThroughputExceededException' : 'ThrottlingException',
    };
  }
  if (kind === 'error-500') return { status: 500, code: 'InternalServerError' };
  return kind === 'error-503' ? { status: 503, code: 'ServiceUnavailable' } : undefined;
}
