import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { variables } from '../../lambdas/contract/environment.ts';
import { table } from '../cost-model/documents.ts';
import { webhookEvent } from '../cost-model/production.ts';
import { type Run, runInstance } from './instance.ts';
import { type PipelineName, type Stack, takeBatches } from './stack.ts';

const stages = { receive: 'verifier', record: 'consumer' } as const;
/** One twice, which shows the noise; one calls DynamoDB as often as lean, without rows of transactions. */
const series = {
  usual: 'usual',
  lean: 'lean',
  payhooks: 'payhooks',
  again: 'payhooks',
  twoCalls: 'payhooks',
} as const satisfies Record<string, PipelineName>;
type Series = keyof typeof series;

const rounds = 21;
const longRounds = 5;
const messagesIn = (round: number): number => (round < longRounds ? 600 : 40);

/** Milliseconds of CPU time; not a number for what a run was too short for. */
const parts: Readonly<Record<string, (run: Run) => number>> = {
  'cold start': (run) => run.loadMilliseconds + (run.calls[0]?.milliseconds ?? Number.NaN),
  'calls 21 to 40': (run) => medianOfCalls(run, 20, 40),
  'calls 501 to 600': (run) => medianOfCalls(run, 500, 600),
};
const medianOfCalls = ({ calls }: Run, start: number, end: number): number =>
  median(calls.slice(start, end).map(({ milliseconds }) => milliseconds));

/** Runs each function in a new process, in turn, with events that are new to it, one in each call. */
export async function cpuTable(stack: Stack): Promise<string> {
  const runs = new Map<string, Run[]>();
  for (let round = 0; round < rounds; round += 1) {
    const messages = messagesIn(round);
    for (const [one, name] of Object.entries(series)) {
      const events = Array.from({ length: messages }, (_, n) =>
        webhookEvent(bytesOf(paidEvent({ orderId: `order-${round}-${n}`, seed: `${one} ${round} ${n}` }))),
      );
      const receive = await runInstance(stack.functions[name].receive, events);
      const batches = await takeBatches(stack, name, { messages });
      const { file, environment } = stack.functions[name].record;
      const settings = one === 'twoCalls' ? { [variables.noTransactionRows]: 'true' } : {};
      const record = await runInstance({ file, environment: { ...environment, ...settings } }, batches);
      for (const [stage, run] of Object.entries({ receive, record })) {
        const key = `${stage} ${one}`;
        runs.set(key, [...(runs.get(key) ?? []), run]);
      }
    }
  }
  const rows = Object.entries(stages).flatMap(([stage, title]) =>
    Object.entries(parts).map(([part, of]) => {
      const at = (one: Series): number =>
        median((runs.get(`${stage} ${one}`) ?? []).map(of).filter((time) => !Number.isNaN(time)));
      const [usual, lean, own] = [at('usual'), at('lean'), at('payhooks')];
      const ratios = [usual / lean, own / lean, at('twoCalls') / lean, at('again') / own];
      return [`${title}: ${part}`, ...[usual, lean, own].map((time) => time.toFixed(1)), ...ratios.map(two)];
    }),
  );
  const ratios = 'usual ÷ lean | payhooks ÷ lean | with two calls ÷ lean | payhooks ÷ itself';
  return table(`CPU time, ms | usual | lean | payhooks | ${ratios}`, rows);
}

const two = (ratio: number): string => ratio.toFixed(2);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
