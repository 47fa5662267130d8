import fc from 'fast-check';
import { consumerOver } from './consumer.ts';
import { eventBody } from './event-body.ts';
import type { SampleBody } from './expected-state.ts';
import { intercepted } from './intercepted.ts';
import type { ConsumerStores } from './memory-stores.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';

/** What happens to a call: its effect or its response is lost, or the whole invocation dies. */
type Fault = 'none' | 'lost' | 'response lost' | 'crash' | 'crash after';

/** Few ids, orders and transactions, so that events meet. */
export const samples: fc.Arbitrary<SampleBody> = fc.record({
  id: fc.constantFrom('e1', 'e2', 'e3', 'e4'),
  action: fc.constantFrom('paid', 'paid', 'refunded', 'failed', 'disputed', 'note'),
  order: fc.constantFrom(null, null, 'A', 'B', 'C'),
  transaction: fc.constantFrom('T', 'T', 'U', null),
  amount: fc.constantFrom('100.00', '1.00'),
  attempt: fc.constantFrom(1, 2),
});
/** Few, so that the last calls of a path meet them too. */
const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 15, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constantFrom('lost', 'response lost', 'crash', 'crash after') },
);
const deliveries = fc.array(samples, { minLength: 1, maxLength: 7 }).chain((bodies) =>
  fc.shuffledSubarray([...bodies, ...bodies], { minLength: bodies.length }).map((some) => {
    const missing = bodies.filter((body) => !some.includes(body));
    return [...some, ...missing];
  }),
);

/** Bodies that are delivered in any order, some of them again, and what happens meanwhile. */
export interface Run {
  readonly deliveries: readonly SampleBody[];
  readonly batchSize: number;
  /** Consumers that run at the same time. */
  readonly invocations: number;
  readonly injected: readonly Fault[];
  readonly eventRetentionDays: number | undefined;
  readonly scheduler: fc.Scheduler;
}

export const runs: fc.Arbitrary<Run> = fc.record({
  deliveries,
  batchSize: fc.integer({ min: 1, max: 10 }),
  invocations: fc.integer({ min: 1, max: 3 }),
  injected: fc.array(faults, { maxLength: 100, size: 'max' }),
  eventRetentionDays: fc.constantFrom(undefined, 30),
  scheduler: fc.scheduler(),
});

/** Delivers at least once, like SQS: what fails or dies is delivered again. */
export async function deliver(run: Run, writer: ConsumerStores): Promise<void> {
  const injected = [...run.injected];
  let queue: SentBody[] = run.deliveries.map((one, n) => ({ body: eventBody(one), messageId: `m${n}` }));
  while (queue.length > 0) {
    const batches = Array.from({ length: run.invocations }, () => queue.splice(0, run.batchSize));
    const invocations = batches.map(async (batch) => {
      const { faulty, isDead } = injectFaults(writer, run.scheduler, injected);
      const consume = consumerOver({ writer: faulty }, { eventRetentionDays: run.eventRetentionDays });
      const { batchItemFailures } = await consume(sqsEvent(...batch));
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      return batch.filter(({ messageId }) => isDead() || failed.has(messageId ?? ''));
    });
    queue = [...queue, ...(await run.scheduler.waitFor(Promise.all(invocations))).flat()];
  }
}

/** The stores of one invocation, whose calls interleave with those of others and meet the next faults. */
function injectFaults(writer: ConsumerStores, scheduler: fc.Scheduler, injected: Fault[]) {
  let dead = false;
  const faulty = intercepted(writer, async ({ name, carryOut }) => {
    const fault = injected.shift() ?? 'none';
    await scheduler.schedule(Promise.resolve(), name);
    if (dead) throw new Error('dead');
    if (fault === 'crash') dead = true;
    if (fault === 'crash' || fault === 'lost') throw new Error(fault);
    const result = await carryOut();
    if (fault === 'crash after') dead = true;
    if (fault === 'crash after' || fault === 'response lost') throw new Error(fault);
    return result;
  });
  return { faulty, isDead: () => dead };
}
