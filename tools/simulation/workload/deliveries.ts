import type { DeliveryKind, MeantEvent, Mode } from '../history.ts';
import { busyMilliseconds } from '../plan.ts';
import type { Random } from '../random.ts';
import { createWriter, type Draft } from './events.ts';
import { formerReadings } from './former-readings.ts';
import { crowdedOrder, misreadEvents, movedPayment, stories } from './stories.ts';

/** A webhook that a sender is going to deliver. */
export interface PlannedDelivery {
  readonly kind: DeliveryKind;
  readonly mode: Mode;
  readonly body: Buffer;
  readonly meant: MeantEvent | undefined;
  /** Signed with the key from before a rotation, once, if there was one: by a thief, or an old sender. */
  readonly isFormerKey?: boolean;
  /** Milliseconds after the beginning of the run. */
  readonly after: number;
}

const storiesPerRun = { min: 5, max: 9 } as const;
/** A replay of everything takes its time. */
const storiesReadAnew = { min: 2, max: 5 } as const;
const oversizeBytes = 256 * 1024 + 1;

/**
 * All webhooks of a run: the purchases of some customers in a shuffled order, some of them delivered more
 * than once, and what others send.
 */
export function planDeliveries(
  random: Random,
  count: (name: string) => void,
  { isCrowded = false, isReadAnew = false } = {},
): PlannedDelivery[] {
  const names = Object.keys(stories) as [string, ...string[]];
  const { min, max } = isReadAnew ? storiesReadAnew : storiesPerRun;
  const number = random.integer(min, max);
  const chosen = Array.from({ length: number }, () => random.pick(names));
  const special = {
    ...(isCrowded && { crowded_order: crowdedOrder }),
    ...(isReadAnew && { misread_events: misreadEvents, moved_payment: movedPayment }),
  };
  const drafts = [...chosen, ...Object.keys(special)].map((name, index) => {
    count(`story_${name}`);
    const mode = random.chance(0.8) ? 'live' : 'sandbox';
    const prefix = random.pick(['o', 'order/ü', 'Ord 7']);
    const id = (what: string): string => `${prefix} ${index} ${what}`;
    const formerly = isReadAnew ? formerReadings(name, random.fork(`formerly ${index}`), id) : undefined;
    const story = { ...stories, ...special }[name] ?? crowdedOrder;
    return story(createWriter(mode, random, formerly), random, id);
  });
  const genuine = drafts.flatMap((story) => timed(story, random, count));
  return [...genuine, ...repeated(genuine, random, count), ...noise(random, count)];
}

/** Most stories arrive in their order, spread over the run; some backwards. */
function timed(story: readonly Draft[], random: Random, count: (name: string) => void): PlannedDelivery[] {
  const isShuffled = story.length > 1 && random.chance(0.4);
  if (isShuffled) count('reordered_story');
  const isBurst = random.chance(0.4);
  const begin = random.integer(0, busyMilliseconds / 2);
  const times = story.map(() => begin + random.integer(0, isBurst ? 200 : busyMilliseconds / 2));
  if (!isShuffled) times.sort((a, b) => a - b);
  return story.map((draft, index) => ({ ...draft, kind: 'genuine', after: times[index] ?? 0 }));
}

/** The payment service may deliver an event again, although it got a 2xx. */
function repeated(all: readonly PlannedDelivery[], random: Random, count: (name: string) => void) {
  return all.flatMap((delivery): PlannedDelivery[] => {
    if (!random.chance(0.2)) return [];
    count('delivered_again');
    return [{ ...delivery, after: random.integer(0, busyMilliseconds) }];
  });
}

/** Some events again, long after they were acknowledged. */
export function planRedeliveries(all: readonly PlannedDelivery[], random: Random): PlannedDelivery[] {
  const genuine = all.filter(({ kind }) => kind === 'genuine');
  return random
    .shuffle(genuine)
    .slice(0, random.integer(1, 5))
    .flatMap((delivery) => {
      const again = { ...delivery, after: random.integer(0, 60_000) };
      return [again, { ...again, isFormerKey: true }];
    });
}

/** For some of the transactions, a refund that names no order: its transaction shows where it belongs. */
export function planRefunds(all: readonly PlannedDelivery[], random: Random): PlannedDelivery[] {
  const transactions = new Map(
    all.flatMap(({ mode, meant }) =>
      meant === undefined ? [] : [[`${mode} ${meant.transactionId}`, { mode, ...meant }] as const],
    ),
  );
  return [...transactions.values()].flatMap(({ mode, transactionId }): PlannedDelivery[] => {
    if (random.chance(0.3)) return [];
    const subject = { orderId: undefined, transactionId };
    const draft = createWriter(mode, random).write('transaction.refunded', subject, { amount: '1.00' });
    return [{ ...draft, kind: 'genuine', after: random.integer(0, 1_000) }];
  });
}

/** What is no event of the account, or no event at all. */
function noise(random: Random, count: (name: string) => void): PlannedDelivery[] {
  const kinds: Readonly<Record<Exclude<DeliveryKind, 'genuine'>, () => Buffer>> = {
    genuine_unreadable: () =>
      random.pick([
        Buffer.from('not json'),
        Buffer.from('[]'),
        Buffer.from('{"event_name":"transaction.paid"}'),
        Buffer.from('{"id":"x"}'),
        Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
        Buffer.alloc(0),
      ]),
    genuine_oversize: () => Buffer.alloc(oversizeBytes, 'x'),
    forged: () => forgedBody(random),
    forged_replayed_signature: () => forgedBody(random),
    unsigned: () => forgedBody(random),
    malformed_signature: () => forgedBody(random),
  };
  const names = Object.keys(kinds) as [keyof typeof kinds, ...(keyof typeof kinds)[]];
  return Array.from({ length: random.integer(1, 4) }, () => {
    const kind = random.pick(names);
    count(`noise_${kind}`);
    const after = random.integer(0, busyMilliseconds);
    return { kind, mode: 'live', body: kinds[kind](), meant: undefined, after };
  });
}

const forgedBody = (random: Random): Buffer =>
  createWriter('live', random).write(
    'transaction.paid',
    { orderId: `forged ${random.uuid()}`, transactionId: random.uuid() },
    { amount: '1000.00' },
  ).body;
