import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { table } from '../cost-model/documents.ts';
import { webhookEvent } from '../cost-model/production.ts';
import { type Run, runInstance } from './instance.ts';
import { type PipelineName, type Stack, takeBatches } from './stack.ts';

const stages = { receive: 'verifier', record: 'consumer' } as const;
/** One twice: how far two series of the same code are apart. */
const series = {
  usual: 'usual',
  lean: 'lean',
  payhooks: 'payhooks',
  again: 'payhooks',
} as const satisfies Record<string, PipelineName>;
type Series = keyof typeof series;

const rounds = 21;
const messages = 40;

/** Milliseconds of CPU time. */
const parts: Readonly<Record<string, (run: Run) => number>> = {
  'cold start': (run) => run.loadMilliseconds + (run.calls[0]?.milliseconds ?? Number.NaN),
  'warm call': (run) => median(run.calls.slice(run.calls.length / 2).map(({ milliseconds }) => milliseconds)),
};

/** Runs each function in a new process, in turn, with events that are new to it, one in each call. */
export async function cpuTable(stack: Stack): Promise<string> {
  const runs = new Map<string, Run[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [one, name] of Object.entries(series)) {
      const events = Array.from({ length: messages }, (_, n) =>
        webhookEvent(bytesOf(paidEvent({ orderId: `order-${round}-${n}`, seed: `${one} ${round} ${n}` }))),
      );
      const receive = await runInstance(stack.functions[name].receive, events);
      const batches = await takeBatches(stack, name, { messages });
      const record = await runInstance(stack.functions[name].record, batches);
      for (const [stage, run] of Object.entries({ receive, record })) {
        const key = `${stage} ${one}`;
        runs.set(key, [...(runs.get(key) ?? []), run]);
      }
    }
  }
  const rows = Object.entries(stages).flatMap(([stage, title]) =>
    Object.entries(parts).map(([part, of]) => {
      const at = (one: Series): number => median((runs.get(`${stage} ${one}`) ?? []).map(of));
      const [usual, lean, own] = [at('usual'), at('lean'), at('payhooks')];
      const ratios = [usual / lean, own / lean, at('again') / own].map((ratio) => ratio.toFixed(2));
      return [`${title}: ${part}`, ...[usual, lean, own].map((time) => time.toFixed(1)), ...ratios];
    }),
  );
  return table(
    'CPU time, ms | usual | lean | payhooks | usual ÷ lean | payhooks ÷ lean | payhooks ÷ itself',
    rows,
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
