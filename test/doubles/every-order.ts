import { consumerOver } from './consumer.ts';
import { memoryStores } from './memory-stores.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { copyOf, stateText } from './store-states.ts';

type Stores = ReturnType<typeof memoryStores>;

/** The tables after some of the messages, and in how many ways they get there. */
interface Reached {
  readonly stores: Stores;
  ways: number;
}

export interface EveryOrder {
  readonly messages: readonly SentBody[];
  readonly batchSizeMax: number;
  /** The order within a batch. */
  readonly arrange?: (batch: readonly SentBody[]) => readonly SentBody[];
  readonly eventRetentionDays?: number | undefined;
  /** The stores that an invocation sees. */
  readonly through?: (writer: Stores['writer']) => Stores['writer'];
}

/**
 * Delivers the messages in every order, and in every split of it into batches, each batch to a new instance
 * of the consumer. Returns the states in which the tables end. Ways that reach the same state, byte for byte,
 * after the same messages continue as one: the state and the next messages decide what happens.
 */
export async function deliverInEveryOrder(every: EveryOrder): Promise<readonly Reached[]> {
  const all = 2 ** every.messages.length - 1;
  const reached = new Map<number, Map<string, Reached>>([
    [0, new Map([['', { stores: memoryStores(), ways: 1 }]])],
  ]);
  // A set of messages is a number, one bit each, which is less than that of any set that contains it.
  for (let delivered = 0; delivered < all; delivered += 1) {
    const batches = subsetsOf(all - delivered).filter((set) => sizeOf(set) <= every.batchSizeMax);
    for (const { stores, ways } of reached.get(delivered)?.values() ?? []) {
      for (const batch of batches) {
        const after = await deliver(every, stores, batch);
        const ends = reached.get(delivered | batch) ?? new Map<string, Reached>();
        const text = stateText(after);
        const end = ends.get(text) ?? { stores: after, ways: 0 };
        end.ways += ways;
        reached.set(delivered | batch, ends.set(text, end));
      }
    }
    reached.delete(delivered);
  }
  return [...(reached.get(all)?.values() ?? [])];
}

async function deliver(every: EveryOrder, stores: Stores, batch: number): Promise<Stores> {
  const { messages, arrange = (one) => one, through = (one) => one, eventRetentionDays } = every;
  const copy = copyOf(stores);
  const consume = consumerOver({ writer: through(copy.writer) }, { eventRetentionDays });
  const { batchItemFailures } = await consume(
    sqsEvent(...arrange(messages.filter((_, n) => batch & (1 << n)))),
  );
  if (batchItemFailures.length > 0) throw new Error('A record went back to the queue without a fault.');
  return copy;
}

/** All sets in this one but the empty one. */
function subsetsOf(set: number): number[] {
  const subsets: number[] = [];
  for (let subset = set; subset > 0; subset = (subset - 1) & set) subsets.push(subset);
  return subsets;
}

const sizeOf = (set: number): number => set.toString(2).replaceAll('0', '').length;
