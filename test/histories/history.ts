import { consumerInFlightSeconds, consumerTimeoutSeconds } from '../../lambdas/contract/limits.ts';
import { fullFact } from '../../lambdas/domain/fact.ts';
import { createRandom } from '../../tools/simulation/random.ts';
import type { Hooks } from '../doubles/memory-store.ts';
import { faultsOf } from './check.ts';
import { createWorld, type HistoryBody, type Said, type Version } from './world.ts';

export interface HistoryStats {
  killed: number;
  busy: number;
  acts: number;
}

/** An invocation, or the request of an operator. */
interface Actor {
  readonly endsAt: number;
  isDead: boolean;
  /** Called once, with its response unless it has died. */
  readonly end: (isDead: boolean) => void;
}

/** A call that waits for its turn, before it is carried out or before its response arrives. */
interface Parked {
  readonly actor: Actor;
  readonly go: () => void;
  /** The call, or its response, is lost. */
  readonly fail: () => void;
}

const startedAt = Date.parse('2026-11-21T10:00:00.000Z');
const hour = 60 * 60;

/**
 * One random history through the real consumer and the real operations: payments, refunds, several bodies under
 * one id, versions that read them differently, live traffic during replays, deaths before and after every call,
 * lost responses, operators at once, retention, erasure, full orders. Returns what is wrong at the end.
 */
export async function runHistory(seed: number, stats: HistoryStats): Promise<string | undefined> {
  const { number: random, chance } = createRandom(`${seed}`);
  const integer = (max: number): number => Math.floor(random() * max);
  const pick = <T>(list: readonly T[]): T => list[integer(list.length)] as T;
  let now = startedAt;
  const orders = ['X', 'Y', 'Z'].slice(0, 2 + integer(2));
  const transactions = ['t1', 't2'].slice(0, 1 + integer(2));
  const isTight = chance(0.1);
  const world = createWorld({
    now: () => now,
    eventRetentionDays: chance(0.25) ? 1 : undefined,
    keepsTransactions: !chance(0.2),
    fits: isTight ? (_, facts) => facts.filter((fact) => fact !== fullFact).length <= 4 : undefined,
  });

  // Actors take turns call by call, in any order.
  const parked: Parked[] = [];
  let alive = 0;
  function hooksOf(actor: Actor): Hooks {
    const wait = () =>
      new Promise<void>((resolve, reject) =>
        parked.push({ actor, go: resolve, fail: () => reject(new Error('throttled')) }),
      );
    // The response of some calls is lost with the invocation; of the others it arrives at once.
    const forever = new Promise<never>(() => {});
    return {
      gate: () => (actor.isDead ? forever : wait()),
      after: async () => (actor.isDead ? forever : chance(0.2) ? wait() : undefined),
    };
  }
  function start<Result>(
    endsAt: number,
    work: (hooks: Hooks) => Promise<Result>,
    end: (result: Result | undefined) => void,
  ): void {
    let response: Result | undefined;
    const actor: Actor = {
      endsAt,
      isDead: false,
      end(isDead) {
        if (actor.isDead) return;
        actor.isDead = true;
        alive -= 1;
        end(isDead ? undefined : response);
      },
    };
    alive += 1;
    work(hooksOf(actor)).then((result) => {
      response = result;
      actor.end(false);
    });
  }
  function kill({ actor }: Parked): void {
    stats.killed += 1;
    for (let at = parked.length - 1; at >= 0; at -= 1) if (parked[at]?.actor === actor) parked.splice(at, 1);
    actor.end(true);
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  /** One actor goes on by one call, or dies. An invocation never outlives its limit. */
  async function turn(): Promise<void> {
    await settle();
    for (const late of parked.filter(({ actor }) => actor.endsAt < now)) kill(late);
    const [next] = parked.splice(integer(parked.length), 1);
    now += (chance(0.05) ? random() * 30 : random()) * 1000;
    if (next === undefined) return settle();
    const draw = random();
    if (draw < 0.03) kill(next);
    else if (draw < 0.06) next.fail();
    else next.go();
    return settle();
  }

  const said = (): Said => {
    const name = pick(['paid', 'paid', 'refunded', 'refunded', 'failed', 'note', 'returned']);
    return {
      name,
      order: chance(name === 'paid' ? 0.8 : 0.4) ? pick(orders) : null,
      transaction: chance(0.93) ? pick(transactions) : null,
      amount: pick(['10.00', '20.00']),
    };
  };
  const bodyOf = (id: string): HistoryBody => {
    const v1 = said();
    const changed = {
      ...(chance(0.8) && { order: chance(0.6) ? pick(orders) : null }),
      ...(chance(0.25) && { transaction: pick(transactions) }),
      ...(chance(0.1) && { name: pick(['paid', 'refunded', 'note']) }),
    };
    return { id, sandbox: chance(0.06), v1, v2: chance(0.4) ? v1 : { ...v1, ...changed } };
  };
  const bodies = Array.from({ length: 2 + integer(5) }, (_, n) => n).flatMap((n) => {
    const id = `e${n}`;
    const body = bodyOf(id);
    if (!chance(0.25)) return [body];
    // Other bytes that say the same, or something else.
    return [body, chance(0.3) ? { v2: body.v2, v1: body.v1, id, sandbox: body.sandbox } : bodyOf(id)];
  });
  const queue = bodies.flatMap((body) => Array.from({ length: 1 + integer(2) }, () => body));
  queue.sort(() => random() - 0.5);
  const late = queue.splice(0, integer(queue.length * 0.6));

  const deliver = (version: Version): void => {
    const body = queue.splice(integer(queue.length), 1)[0];
    if (body === undefined) return;
    start(
      now + consumerTimeoutSeconds * 1000,
      (hooks) => world.deliver(hooks, version, body),
      (isDone) => isDone || queue.push(body),
    );
  };
  const requests: (readonly [string, object])[] = [];
  let replays = 0;
  let lastResponse: unknown;
  const act = (version: Version): void => {
    const request = requests.splice(integer(requests.length), 1)[0];
    if (request === undefined) return;
    start(
      Number.POSITIVE_INFINITY,
      (hooks) => world.request(hooks, version, request),
      (response) => {
        stats.acts += 1;
        lastResponse = response;
        const isBusy = response?.status === 409 && response.body['title'] === 'Busy';
        if (isBusy) stats.busy += 1;
        const cursor = response?.status === 200 ? response.body['next_cursor'] : undefined;
        // A caller repeats what was busy, and whose response it did not get; a run goes on.
        if (response === undefined || response.status === 500 || isBusy) requests.push(request);
        else if (typeof cursor === 'string') requests.push([request[0], { ...request[1], cursor }]);
        else if (request[0] === 'replay') replays -= 1;
      },
    );
  };
  const common = { reason: 'test' };
  const judge = (): void => {
    const body = pick(bodies);
    const subject = { event_id: body.id, ...common };
    const [row] = [...world.tables.events.values()].filter(
      (found) => found.waiting && found.eventId === body.id,
    );
    const which = row === undefined ? {} : { body_sha256: row.bodySha256 };
    const kind = random();
    if (kind < 0.5)
      requests.push(['admit', { ...subject, ...which, ...(chance(0.6) && { order_id: pick(orders) }) }]);
    else if (kind < 0.7) requests.push(['dismiss', { ...subject, ...which }]);
    else if (kind < 0.8) requests.push(['erase', subject]);
    else if (kind < 0.9) requests.push(['erase', { order_id: pick(orders), ...common }]);
    else {
      const order = [...world.tables.orders.values()][0];
      if (order)
        requests.push(['resolve', { order_id: order.order.id, sequence: order.sequence, ...common }]);
    }
  };
  /** Until nothing is left to do; with acts of operators in between. */
  async function drain(versions: readonly Version[], judgements: number): Promise<boolean> {
    let toJudge = judgements;
    for (let n = 0; n < 30_000; n += 1) {
      if (queue.length > 0 && chance(0.35)) deliver(pick(versions));
      if (toJudge > 0 && chance(0.05)) {
        judge();
        toJudge -= 1;
      }
      if (requests.length > 0 && chance(0.2)) act(pick(versions));
      await turn();
      if (parked.length === 0) now += 3_000;
      if (queue.length + requests.length + alive + toJudge === 0) return true;
    }
    return false;
  }
  const expireBodies = (): void => {
    now += 30 * hour * 1000;
    for (const [place, { body: _, bodyRow, ...row }] of world.tables.events)
      if (bodyRow?.expiresAt !== undefined && bodyRow.expiresAt * 1000 < now)
        world.tables.events.set(place, row);
  };

  const noEnd = (when: string): string =>
    `seed ${seed}: no end ${when} ${JSON.stringify({ requests, queue, alive, lastResponse })}`;

  // Both releases side by side: a deployment, or a release that was rolled back.
  if (!(await drain(chance(0.5) ? ['v1'] : ['v1', 'v2'], integer(3))))
    return noEnd('before the last release');
  if (chance(0.15)) expireBodies();
  queue.push(...late);
  let last: Version = 'v2';
  for (const version of chance(0.3) ? (['v2', 'v1'] as const) : (['v2'] as const)) {
    last = version;
    replays = 1;
    requests.push(['replay', { ...common, ...(chance(0.2) && { publish: true }) }]);
    if (chance(0.5)) queue.push(...bodies.filter(() => chance(0.5)));
    if (!(await drain([version], integer(4)))) return noEnd(`in ${version} after ${replays} replays`);
    now += consumerInFlightSeconds * 1000;
  }
  // What was recorded by the release before the last, while the last one was being deployed, is replayed again.
  requests.push(['replay', common]);
  if (!(await drain([last], 0))) return `seed ${seed}: no end of the last replay`;
  const fault = await faultsOf(world, { version: last, bodies, isTight, now });
  return fault === undefined ? undefined : `seed ${seed}: ${fault}`;
}
