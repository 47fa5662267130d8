import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { runInstance } from './instance.ts';
import { median, ratio, table } from './measurements.ts';
import { takeBatch, webhookEvent } from './pipelines.ts';
import type { PipelineName, Stack } from './stack.ts';

const names = ['baseline', 'payhooks'] as const;
const stages = ['receive', 'record'] as const;
const rounds = 7;
const webhooksPerRound = 60;

type Milliseconds = Record<(typeof stages)[number], number[]>;

/** CPU time of one warm invocation with one event, by the later half of each process's invocations. */
export async function measureWarmCalls(stack: Stack): Promise<Readonly<Record<PipelineName, Milliseconds>>> {
  const measured = { baseline: empty(), payhooks: empty() };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const { receive, record } = stack.functions[name];
      const bodies = Array.from({ length: webhooksPerRound }, (_, index) =>
        bytesOf(paidEvent({ orderId: `warm-${round}-${index}`, seed: `warm ${name} ${round} ${index}` })),
      );
      const received = await runInstance(
        receive,
        bodies.map((body) => webhookEvent(name, body)),
      );
      const recorded = await runInstance(record, await singleRecords(stack, name, bodies.length));
      measured[name].receive.push(laterHalf(received.calls));
      measured[name].record.push(laterHalf(recorded.calls));
    }
  }
  return measured;
}

const empty = (): Milliseconds => ({ receive: [], record: [] });

const laterHalf = (calls: readonly { readonly milliseconds: number }[]): number =>
  median(calls.slice(calls.length / 2).map(({ milliseconds }) => milliseconds));

/** Batches of one message each. */
export async function singleRecords(stack: Stack, name: PipelineName, count: number): Promise<object[]> {
  const records: object[] = [];
  while (records.length < count) {
    const { Records } = (await takeBatch(stack, name)) as { Records: object[] };
    records.push(...Records);
  }
  return records.map((record) => ({ Records: [record] }));
}

export const warmTable = (measured: Awaited<ReturnType<typeof measureWarmCalls>>): string =>
  table(
    'CPU time of a warm invocation, one event | baseline | payhooks | payhooks ÷ baseline',
    stages.map((stage) => {
      const [usual, own] = [median(measured.baseline[stage]), median(measured.payhooks[stage])];
      const title = stage === 'receive' ? 'verifier' : 'consumer';
      return [title, `${usual.toFixed(2)} ms`, `${own.toFixed(2)} ms`, ratio(own, usual)];
    }),
  );
