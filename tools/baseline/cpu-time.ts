import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { table } from '../cost-model/documents.ts';
import { type Run, runInstance } from './instance.ts';
import { type PipelineName, type Stack, takeBatches, webhookEvent } from './stack.ts';

const stages = { receive: 'verifier', record: 'consumer' } as const;
type Stage = keyof typeof stages;
/** One twice: how far two series of the same code are apart. */
const series = ['baseline', 'payhooks', 'payhooks again'] as const;
type Series = (typeof series)[number];

/** Milliseconds of CPU time. */
const parts: Readonly<Record<string, (run: Run) => number>> = {
  'load and prepare': (run) => run.loadMilliseconds,
  'first call': (run) => run.calls[0]?.milliseconds ?? Number.NaN,
  'cold start, both': (run) => run.loadMilliseconds + (run.calls[0]?.milliseconds ?? Number.NaN),
  'warm call': (run) => median(run.calls.slice(run.calls.length / 2).map(({ milliseconds }) => milliseconds)),
};

/** Runs each function in a new process, in turn, with events that are new to it, one in each call. */
export async function measureCpuTime(stack: Stack, rounds: number, webhooks: number) {
  const runs = new Map<string, Run[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const one of series) {
      const name: PipelineName = one === 'baseline' ? 'baseline' : 'payhooks';
      const events = Array.from({ length: webhooks }, (_, index) =>
        webhookEvent(
          name,
          bytesOf(paidEvent({ orderId: `order-${round}-${index}`, seed: `${one} ${round} ${index}` })),
        ),
      );
      const receive = await runInstance(stack.functions[name].receive, events);
      const record = await runInstance(
        stack.functions[name].record,
        await takeBatches(stack, name, webhooks),
      );
      for (const [stage, run] of Object.entries({ receive, record })) {
        const key = `${stage} ${one}`;
        runs.set(key, [...(runs.get(key) ?? []), run]);
      }
    }
  }
  return Object.entries(stages).flatMap(([stage, title]) =>
    Object.entries(parts).map(([part, of]) => {
      const at = (one: Series): number => median((runs.get(`${stage as Stage} ${one}`) ?? []).map(of));
      const [usual, own, again] = [at('baseline'), at('payhooks'), at('payhooks again')];
      return { title: `${title}: ${part}`, usual, own, ratio: own / usual, noise: again / own };
    }),
  );
}

export const cpuTable = (rows: Awaited<ReturnType<typeof measureCpuTime>>): string =>
  table(
    'CPU time | baseline | payhooks | payhooks ÷ baseline | payhooks ÷ itself',
    rows.map(({ title, usual, own, ratio, noise }) => [
      ...[title, `${usual.toFixed(1)} ms`, `${own.toFixed(1)} ms`],
      ...[`${ratio.toFixed(2)} ×`, noise.toFixed(2)],
    ]),
  );

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
