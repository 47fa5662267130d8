import { busyMilliseconds, type Deployment, startedAt } from '../plan.ts';
import type { Random } from '../random.ts';
import { type DeliveryKind, deliveryKinds, type Mode } from '../sent.ts';
import { createWriter, type Draft, type MeantEvent, misreader } from './events.ts';
import { crowdedOrder, misreadEvents, stories } from './stories.ts';

/** A webhook that a sender is going to deliver. */
export interface PlannedDelivery {
  readonly kind: DeliveryKind;
  readonly mode: Mode;
  readonly body: Buffer;
  /** The event that an operator replays when its row is stored. */
  readonly replayed?: string | undefined;
  /** A refund of the same transaction that names no order. */
  readonly refund?: (() => Draft) | undefined;
  /** Signed with the key from before a rotation, once, if there was one: by a thief, or an old sender. */
  readonly isFormerKey?: boolean;
  /** Milliseconds after the beginning of the run. */
  readonly after: number;
}

type Count = (name: string) => void;

const storiesPerRun = { min: 5, max: 9 } as const;
/** A replay of everything takes its time. */
const storiesMisread = { min: 2, max: 5 } as const;
/** Every version reads these in the same way: no replay brings a body into quarantine, or out of it. */
const readAlike: readonly string[] = ['quarantined', 'wrong_mode'];

/**
 * All webhooks of a run: the purchases of some customers in a shuffled order, some of them delivered more
 * than once, and what others send.
 */
export function planDeliveries(
  random: Random,
  count: Count,
  { isCrowded, misread }: { readonly isCrowded: boolean; readonly misread: Deployment | undefined },
): PlannedDelivery[] {
  const isMisread = misread !== undefined;
  const { min, max } = isMisread ? storiesMisread : storiesPerRun;
  const special = {
    ...(isCrowded && { crowded_order: crowdedOrder }),
    // In the second, a former version reads another order in a payment, and nothing else.
    ...(isMisread && { misread_events: misreadEvents, moved_payment: stories.paid }),
  };
  const names = Object.keys(stories) as [string, ...string[]];
  const chosen = Array.from({ length: random.integer(min, max) }, () => random.pick(names));
  const all = [...chosen, ...Object.keys(special)].flatMap((name, index) => {
    count(`story_${name}`);
    const mode: Mode = random.chance(0.8) ? 'live' : 'sandbox';
    const prefix = random.pick(['o', 'order/ü', 'Ord 7']);
    const isMoved = name === 'moved_payment';
    const writer = createWriter({
      ...{ mode, random, idOf: (what) => `${prefix} ${index} ${what}` },
      ...(isMisread &&
        !readAlike.includes(name) && {
          formerly: misreader(random.fork(`misread ${index}`), isMoved ? { order: 'former order' } : {}),
        }),
    });
    const refundOf =
      ({ transaction }: MeantEvent) =>
      () =>
        writer.write('refunded', '1.00', { order: null, transaction });
    const drafts = { ...stories, ...special }[name as keyof typeof stories](writer, random);
    const isSideBySide = name in special && name !== 'crowded_order' && random.chance(0.7);
    return timed(drafts, random, count).map(({ meant, ...delivery }): PlannedDelivery => {
      const planned = { ...delivery, kind: 'genuine' as const, refund: meant && refundOf(meant) };
      if (!isSideBySide || misread === undefined) return planned;
      const after = random.integer(misread.from, misread.until) - startedAt;
      return { ...planned, after, replayed: meant?.id };
    });
  });
  return [...all, ...repeated(all, random, count), ...noise(random, count)];
}

/** Most stories arrive in their order, spread over the run; some backwards. */
function timed(story: readonly Draft[], random: Random, count: Count) {
  const isShuffled = story.length > 1 && random.chance(0.4);
  if (isShuffled) count('reordered_story');
  const isBurst = random.chance(0.4);
  const begin = random.integer(0, busyMilliseconds / 2);
  const times = story.map(() => begin + random.integer(0, isBurst ? 200 : busyMilliseconds / 2));
  if (!isShuffled) times.sort((a, b) => a - b);
  return story.map((draft, index) => ({ ...draft, after: times[index] ?? 0 }));
}

/** The payment service may deliver an event again, although it got a 2xx. */
function repeated(all: readonly PlannedDelivery[], random: Random, count: Count): PlannedDelivery[] {
  const again = all.filter(() => random.chance(0.2));
  for (const _ of again) count('delivered_again');
  return again.map((delivery) => ({ ...delivery, after: random.integer(0, busyMilliseconds) }));
}

/** Some events again, long after they were acknowledged. */
export function planRedeliveries(all: readonly PlannedDelivery[], random: Random): PlannedDelivery[] {
  const genuine = random.shuffle(all.filter(({ kind }) => kind === 'genuine'));
  return genuine.slice(0, random.integer(1, 5)).flatMap((delivery) => {
    const again = { ...delivery, after: random.integer(0, 60_000) };
    return [again, { ...again, isFormerKey: true }];
  });
}

/** For some transactions, a refund that names no order: the transaction shows where it belongs. */
export function planRefunds(all: readonly PlannedDelivery[], random: Random): PlannedDelivery[] {
  return all.flatMap(({ mode, refund }): PlannedDelivery[] => {
    if (refund === undefined || random.chance(0.5)) return [];
    return [{ mode, kind: 'genuine', body: refund().body, after: random.integer(0, 1_000) }];
  });
}

/** What is no event of the account, or no event at all. */
function noise(random: Random, count: Count): PlannedDelivery[] {
  const forged = (): Buffer =>
    createWriter({ mode: 'live', random, idOf: (what) => `forged ${what} ${random.uuid()}` }).write(
      'paid',
      '1000.00',
    ).body;
  const bodies: Partial<Record<DeliveryKind, () => Buffer>> = {
    genuine_unreadable: () => {
      const texts = ['not json', '[]', '{"event_name":"transaction.paid"}', '{"id":"x"}', ''] as const;
      return random.chance(0.2) ? Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) : Buffer.from(random.pick(texts));
    },
    genuine_oversize: () => Buffer.alloc(256 * 1024 + 1, 'x'),
  };
  const [, ...kinds] = deliveryKinds;
  return Array.from({ length: random.integer(1, 4) }, () => {
    const kind = random.pick(kinds as [DeliveryKind, ...DeliveryKind[]]);
    count(`noise_${kind}`);
    const after = random.integer(0, busyMilliseconds);
    return { kind, mode: 'live', body: (bodies[kind] ?? forged)(), after };
  });
}
