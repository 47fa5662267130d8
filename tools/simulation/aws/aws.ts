import { createHash } from 'node:crypto';
import { AwsError } from '@payhooks/cdk-local/aws-error';
import type { Clock } from '../clock.ts';
import type { AwsCall } from '../history.ts';
import type { Instance, SimulatedRequest, SimulatedResponse } from '../lambda/instance.ts';
import type { Kills } from '../lambda/kills.ts';
import type { Random } from '../random.ts';
import { type FaultKind, type Faults, refusalOf } from './faults.ts';
import { partialBatch } from './partial-batch.ts';
import type { Operations } from './services.ts';

export interface AwsParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly faults: Faults;
  readonly kills: Kills;
  /** By the part of `x-amz-target` before the operation. */
  readonly services: Readonly<Record<string, Operations>>;
  readonly onCall: (instance: Instance, call: Omit<AwsCall, 'stage' | 'instance'>, digest: string) => void;
}

interface Response {
  readonly status: number;
  readonly text: string;
}

const never = new Promise<never>(() => {});

/**
 * The simulated AWS: a request takes some time to arrive, is carried out at once and whole, and its response
 * takes some time as well. A fault changes one of these; a kill ends the caller before or after the commit.
 */
export function createAws(parts: AwsParts) {
  const { clock, random, faults, kills } = parts;
  const travel = (): Promise<void> => clock.pause(random.integer(1, 12));

  return async function call(instance: Instance, request: SimulatedRequest): Promise<SimulatedResponse> {
    const [service = '', operation = ''] = (request.headers['x-amz-target'] ?? '').split('.');
    const operations = parts.services[service];
    if (operations?.[operation] === undefined)
      throw new Error(`The simulated AWS has no operation ${service}.${operation}.`);
    const fault = faults.next(service, operation);
    const { body } = request;
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const at = clock.now();
    const report = (isCommitted: boolean, response: Response | undefined): void =>
      parts.onCall(instance, { at, operation, fault, isCommitted }, digestOf(text, response?.text));
    const commit = async (): Promise<Response> => {
      try {
        const carriedOut = await carryOut(operations, operation, { text, fault });
        report(true, carriedOut);
        return carriedOut;
      } catch (error) {
        clock.fail(error);
        throw error;
      }
    };

    if (kills.isDue(instance, 'before')) {
      report(false, undefined);
      return never;
    }
    await travel();
    if (fault === 'reset-before') {
      report(false, undefined);
      throw connectionReset();
    }
    const refusal = fault && refusalOf({ kind: fault, service, operation, text }, random);
    if (refusal !== undefined) {
      report(false, undefined);
      await travel();
      return respond(errorResponse(refusal));
    }
    // A service may carry out a request long after its caller has given it up.
    if (fault === 'timeout') await clock.pause(random.integer(0, 3_000));
    const response = await commit();
    if (kills.isDue(instance, 'after') || fault === 'timeout') return never;
    if (fault === 'slow') await clock.pause(random.integer(300, 1_600));
    await travel();
    if (fault === 'reset-after') throw connectionReset();
    if (fault === 'malformed')
      return respond({ ...response, text: response.text.slice(0, response.text.length / 2) });
    return respond(response);
  };
}

async function carryOut(
  operations: Operations,
  operation: string,
  { text, fault }: { readonly text: string; readonly fault: FaultKind | undefined },
): Promise<Response> {
  const once = async (): Promise<Response> => {
    try {
      const result = await carryOutPart(operations[operation], operation, { text, fault });
      return { status: 200, text: JSON.stringify(result) };
    } catch (error) {
      if (error instanceof AwsError) return errorResponse(error);
      throw error;
    }
  };
  if (fault === 'repeated') await once();
  return once();
}

async function carryOutPart(
  run: Operations[string] | undefined,
  operation: string,
  { text, fault }: { readonly text: string; readonly fault: FaultKind | undefined },
): Promise<object | undefined> {
  const given = JSON.parse(text);
  const part = fault === 'partial' ? partialBatch(operation, given) : undefined;
  if (part === undefined) return run?.(given);
  return part.complete(part.request ? { ...(await run?.(part.request)) } : {});
}

const errorResponse = ({ code, message, status, details }: AwsError): Response => ({
  status,
  text: JSON.stringify({ __type: code, message, ...details }),
});

const respond = ({ status, text }: Response): SimulatedResponse => ({
  statusCode: status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(text),
});

const connectionReset = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

const digestOf = (...texts: readonly (string | undefined)[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12);
