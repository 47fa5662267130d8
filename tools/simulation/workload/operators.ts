import type { Order, WaitingItem, WaitingList } from '@payhooks/order-client';
import { responseOf } from '../checker/order-views.ts';
import type { HttpCall, Mode } from '../history.ts';
import type { Random } from '../random.ts';
import type { World } from '../world.ts';
import { busyMillisecondsOf, type Call, createCaller } from './caller.ts';
import type { PlannedDelivery } from './deliveries.ts';

interface Operator {
  readonly world: World;
  readonly random: Random;
  readonly call: Call;
  /** An act with a reason: repeated while it has to wait or its outcome is not known, which acts permit. */
  act(name: string, subject: object): Promise<void>;
}

export type Operators = ReturnType<typeof createOperators>;

const repetitionsMax = 5;

const tasks = [judge, judge, judge, resolve, replay, replay, erase] as const;

/** Two operators who look, judge, replay, redrive and erase at the same time, through the real API. */
export function createOperators(world: World, random: Random) {
  const calls: HttpCall[] = [];
  const ann = createOperator(world, { name: 'ann', random: random.fork('ann'), calls });
  const ben = createOperator(world, { name: 'ben', random: random.fork('ben'), calls });
  let busy = 0;

  async function work(operator: Operator, acts: number, milliseconds: number): Promise<void> {
    busy += 1;
    for (let act = 0; act < acts; act += 1) {
      await world.clock.pause(operator.random.integer(0, milliseconds / acts));
      await operator.random.pick(tasks)(operator, operator === ann ? ben : ann);
      redrive(world);
    }
    busy -= 1;
  }

  return {
    calls,
    /** Both do some of their work, spread over so much time. */
    work(actsMax: number, milliseconds: number): void {
      for (const operator of [ann, ben])
        void work(operator, operator.random.integer(1, actsMax), milliseconds);
    },
    /** Replays events when their rows are stored, while a consumer is still at work. */
    replayOnArrival(planned: readonly PlannedDelivery[]): void {
      const awaited = new Set(planned.map(({ replayed }) => replayed));
      world.onStored(({ event_key }) => {
        const [, mode, event_id] = /^(live|sandbox):event:(.*)$/s.exec(String(event_key?.['S'])) ?? [];
        if (!awaited.delete(event_id)) return;
        world.recorder.count('replayed_on_arrival');
        void ann.act('replay', { mode, event_id });
      });
    },
    /** Calls in the name of one of them. */
    call: ann.call,
    isIdle: (): boolean => busy === 0,
  };
}

function createOperator(
  world: World,
  { name, random, calls }: { readonly name: string; readonly random: Random; readonly calls: HttpCall[] },
): Operator {
  const send = createCaller(world, name, random);
  const call: Call = async (request) => {
    const made = await send(request);
    calls.push(made);
    return made;
  };
  return {
    ...{ world, random, call },
    async act(act, subject) {
      const isDry = random.chance(0.15);
      const body = { ...subject, ...(isDry ? { dry_run: true } : { reason: `${name} decided` }) };
      for (let repetition = 0; repetition < repetitionsMax; repetition += 1) {
        const made = await call({ stage: 'operations', routeKey: `POST /operations/${act}`, body });
        world.recorder.count(`act_${act}${isDry ? '_dry_run' : ''}`);
        const busy = busyMillisecondsOf(made);
        if (busy !== undefined) world.recorder.count('act_busy');
        const isCertain = made.outcome.kind === 'status' && made.outcome.status < 500;
        if (isCertain && busy === undefined) return;
        await world.clock.pause(busy ?? random.integer(500, 5_000));
      }
    },
  };
}

/** Admits or dismisses one of the things that wait; sometimes both do at once, and may disagree. */
async function judge(operator: Operator, colleague: Operator): Promise<void> {
  const { call, random, world } = operator;
  // What waits in sandbox is rare, and as likely to be judged wrongly.
  const mode = random.pick<Mode>(['live', 'sandbox']);
  const list = await call({ stage: 'operations', routeKey: 'GET /operations/waiting', query: { mode } });
  const events = responseOf<WaitingList>(list)?.events ?? [];
  const [event] = random.shuffle(events);
  if (event === undefined) return;
  const areBoth = random.chance(0.3);
  if (areBoth) world.recorder.count('judged_by_both');
  const judges = areBoth ? [operator, colleague] : [operator];
  await Promise.all(judges.map((one) => decide(one, mode, event)));
}

async function decide({ act, random }: Operator, mode: Mode, event: WaitingItem): Promise<void> {
  const { kind, event_id, event_name, body_sha256 } = event;
  if (kind === 'event_name') return act('dismiss', { mode, event_name });
  const body = body_sha256 === null ? {} : { body_sha256 };
  const subject = { mode, ...body, ...(event_id !== null && { event_id }) };
  if (random.chance(0.4)) return act('dismiss', subject);
  const order_id = `found by hand ${random.integer(1, 2)}`;
  return act('admit', { ...subject, ...(event.order_id === null && { order_id }) });
}

/** Ends the attentions of an order that has some. */
async function resolve(operator: Operator): Promise<void> {
  const order = await anyOrder(operator);
  if (order === undefined || order.view.attention.length === 0) return;
  const { mode, id, view } = order;
  await operator.act('resolve', { mode, order_id: id, sequence: view.sequence });
}

/** Has an event, an order or a time read again, and sometimes the order published again. */
async function replay(operator: Operator): Promise<void> {
  const { random, act, world } = operator;
  const publish = random.chance(0.5);
  if (random.chance(0.2)) {
    const since = new Date(world.clock.now() - 120_000).toISOString();
    return act('replay', { mode: pickMode(random), since, publish });
  }
  const order = await anyOrder(operator);
  if (order === undefined) return;
  const { mode, id, view } = order;
  const [event] = random.shuffle(view.events);
  const isEvent = event !== undefined && random.chance(0.5);
  return act('replay', { mode, publish, ...(isEvent ? { event_id: event.id } : { order_id: id }) });
}

/** Removes the bodies of an event or of an order. */
async function erase(operator: Operator): Promise<void> {
  const { random, act } = operator;
  const order = await anyOrder(operator);
  if (order === undefined) return;
  const [event] = random.shuffle(order.view.events);
  const isEvent = event !== undefined && random.chance(0.6);
  return act('erase', { mode: order.mode, ...(isEvent ? { event_id: event.id } : { order_id: order.id }) });
}

/** An order that was published before. */
async function anyOrder({ world, random, call }: Operator) {
  const [message] = random.shuffle(world.recorder.bus);
  if (message === undefined) return undefined;
  const { mode, order_id: id } = JSON.parse(message.detail) as { mode: Mode; order_id: string };
  const made = await call({
    ...{ stage: 'order-query', routeKey: 'GET /orders/{order_id}' },
    ...{ pathParameters: { order_id: id }, query: { mode } },
  });
  const view = responseOf<Order>(made);
  return view && { mode, id, view };
}

/** Moves dead letters back to the queue, as SQS's own message move task does. */
export function redrive({ queues, recorder }: World): void {
  const taken = queues.deadLetters.takeAll();
  if (taken.length > 0) recorder.count('dead_letters_redriven', taken.length);
  for (const { body, attributes } of taken) queues.events.send(body, attributes);
}

const pickMode = (random: Random): Mode => (random.chance(0.8) ? 'live' : 'sandbox');
