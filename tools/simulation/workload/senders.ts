import { createHmac } from 'node:crypto';
import type { Attempt, Delivery, Outcome } from '../history.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import type { PlannedDelivery } from './deliveries.ts';
import type { Keys } from './keys.ts';

export type Senders = ReturnType<typeof createSenders>;

/** The document shows no schedule of retries: this one is faster than any, and ends. */
const attemptsMax = 9;
/** No retry makes a body smaller. */
const oversizeAttemptsMax = 2;
const firstPauseMilliseconds = 2_000;
const pauseMillisecondsMax = 120_000;

/**
 * The payment service, and those who pretend to be it: each webhook is delivered until a 2xx acknowledges it,
 * and a sender does not know what became of a request without a response.
 */
export function createSenders(
  world: World,
  { keys, random }: { readonly keys: Keys; readonly random: Random },
) {
  const { clock, recorder } = world;
  const deliveries: Delivery[] = [];
  let busy = 0;
  /** The chance that a request or its response is lost on the way; none once faults have ended. */
  const isLossy = (): boolean => world.hasFaults();

  async function attempt(number: number, delivery: PlannedDelivery): Promise<Attempt> {
    const at = clock.now();
    const former = delivery.isFormerKey ? keys.former(delivery.mode) : undefined;
    const signer = former === undefined ? keys : { current: () => former };
    if (former !== undefined) recorder.count('key_former_used');
    const { key, signature } = sign(delivery, signer, random);
    const outcome = await post(delivery, signature);
    const shown = outcome.kind === 'status' ? String(outcome.status) : outcome.kind;
    recorder.count(`attempt_${shown}`);
    recorder.trace(`webhook ${number} ${delivery.kind} ${shown}`);
    return { at, endedAt: clock.now(), signature, key, outcome };
  }

  async function post({ body }: PlannedDelivery, signature: string | undefined): Promise<Outcome> {
    if (isLossy() && random.chance(0.04)) return { kind: 'refused' };
    const type = random.pick([
      'application/json',
      'application/json; charset=utf-8',
      'application/octet-stream',
    ]);
    const isText = Buffer.from(body.toString()).equals(body);
    const headers = {
      // A body that is no UTF-8 would not survive API Gateway as text.
      'content-type': isText ? type : 'application/octet-stream',
      ...(signature !== undefined && { [world.plan.settings.signatureHeader]: signature }),
    };
    const request = { stage: 'verifier', routeKey: 'POST /webhooks/payments', headers, body } as const;
    // A network may deliver a request twice.
    if (isLossy() && random.chance(0.03)) void world.gateway(request);
    const response = await world.gateway(request);
    if (isLossy() && random.chance(0.04)) return { kind: 'unknown' };
    return { kind: 'status', ...response };
  }

  async function deliver(number: number, planned: PlannedDelivery, attempts: Attempt[]): Promise<void> {
    await clock.pause(planned.after);
    const limit = attemptsOf(planned);
    for (let count = 1; count <= limit; count += 1) {
      const made = await attempt(number, planned);
      attempts.push(made);
      const { outcome } = made;
      if (outcome.kind === 'status' && outcome.status >= 200 && outcome.status <= 299) break;
      const pause = Math.min(firstPauseMilliseconds * 2 ** (count - 1), pauseMillisecondsMax);
      await clock.pause(random.integer(pause / 2, pause));
    }
    busy -= 1;
  }

  function send(planned: PlannedDelivery): void {
    const number = deliveries.length;
    const attempts: Attempt[] = [];
    const { kind, mode, body } = planned;
    const isOurs = kind.startsWith('genuine');
    const text = body.toString('base64');
    deliveries.push({ number, kind, mode: isOurs ? mode : undefined, body: text, attempts });
    busy += 1;
    void deliver(number, planned, attempts);
  }
  return {
    deliveries,
    /** Begins to deliver webhooks, in addition to those before. */
    send: (planned: readonly PlannedDelivery[]): void => planned.forEach(send),
    /** Whether every webhook is acknowledged or given up. */
    isIdle: (): boolean => busy === 0,
  };
}

/** How often a webhook is sent at most. */
function attemptsOf({ kind, isFormerKey }: PlannedDelivery): number {
  if (isFormerKey) return 1;
  if (kind === 'genuine_oversize') return oversizeAttemptsMax;
  return kind.startsWith('genuine') ? attemptsMax : 1;
}

const hmac = (key: string, body: Buffer): string => createHmac('sha256', key).update(body).digest('hex');

/** The key of an attempt, and the signature that it sends. */
function sign(
  { kind, mode, body }: PlannedDelivery,
  keys: Pick<Keys, 'current'>,
  random: Random,
): { key: string | undefined; signature: string | undefined } {
  const foreign = `pri_${random.uuid()}`;
  switch (kind) {
    case 'unsigned':
      return { key: undefined, signature: undefined };
    case 'malformed_signature': {
      const right = hmac(keys.current(mode), body);
      const signature = random.pick([
        right.toUpperCase(),
        `sha256=${right}`,
        right.slice(1),
        `${right} `,
        '',
      ]);
      return { key: undefined, signature };
    }
    case 'forged':
      return { key: foreign, signature: hmac(foreign, body) };
    case 'forged_replayed_signature':
      return { key: undefined, signature: hmac(keys.current(mode), Buffer.from('another body')) };
    default:
      return { key: keys.current(mode), signature: hmac(keys.current(mode), body) };
  }
}
