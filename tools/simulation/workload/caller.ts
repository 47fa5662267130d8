import type { HttpCall, HttpOutcome } from '../history.ts';
import type { Stage } from '../lambda/bundles.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';

export interface CallRequest {
  readonly stage: Extract<Stage, 'order-query' | 'operations'>;
  /** Such as `GET /orders/{order_id}`. */
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Calls an API and keeps what was called and what came back. */
export type Call = (request: CallRequest) => Promise<HttpCall>;

/** A person or a program with an identity of its own. */
export function createCaller(world: World, caller: string, random: Random): Call {
  const { clock, gateway, recorder } = world;
  return async function call({ stage, routeKey, pathParameters = {}, query = {}, body }) {
    const at = clock.now();
    const [method = '', template = ''] = routeKey.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathParameters[name] ?? ''));
    const response = await gateway({
      ...{ stage, routeKey, pathParameters, query, userArn: userArnOf(caller) },
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    });
    const isLost = world.hasFaults() && random.chance(0.02);
    const outcome: HttpOutcome = isLost
      ? { kind: 'unknown' }
      : { kind: 'status', status: response.status, body: JSON.parse(response.body) };
    const shown = outcome.kind === 'status' ? outcome.status : outcome.kind;
    recorder.count(`${stage}_${shown}`);
    recorder.trace(`${caller} ${method} ${path} ${JSON.stringify({ ...query, ...body })} ${shown}`);
    const made = { at, endedAt: clock.now(), caller, method: method as HttpCall['method'], path };
    return { ...made, pathParameters, query, body, outcome };
  };
}

/** The identity that acts are recorded with. */
const userArnOf = (caller: string): string => `arn:aws:iam::111111111111:user/${caller}`;

/** How long a caller has to wait, because someone else still works on the subject; `undefined` when not. */
export function busyMillisecondsOf({ outcome }: HttpCall): number | undefined {
  const { retry_after_seconds: seconds } = (outcome.kind === 'status' ? outcome.body : {}) as Busy;
  return seconds == null ? undefined : seconds * 1_000;
}

interface Busy {
  readonly retry_after_seconds?: number | null;
}
