import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { type FunctionCode, type Run, runInstance } from './instance.ts';
import { median, ratio, table } from './measurements.ts';
import { webhookEvent } from './pipelines.ts';
import type { PipelineName, Stack } from './stack.ts';
import { singleRecords } from './warm.ts';

const stages = ['receive', 'record'] as const;
type Stage = (typeof stages)[number];
/** Twice each: the second series only shows how far two runs of the same code are apart. */
const series = ['baseline', 'payhooks', 'baseline again', 'payhooks again'] as const;
type Series = (typeof series)[number];
type Runs = Readonly<Record<Series, Run[]>>;

const pipelineOf = (one: Series): PipelineName => (one.startsWith('baseline') ? 'baseline' : 'payhooks');

/** Starts every function in new processes, in turn, and calls each once with an event that is new to it. */
export async function measureColdStarts(
  stack: Stack,
  rounds: number,
): Promise<Readonly<Record<Stage, Runs>>> {
  const measured = { receive: emptyRuns(), record: emptyRuns() };
  const batches = {
    baseline: await batchesOf(stack, 'baseline', rounds),
    payhooks: await batchesOf(stack, 'payhooks', rounds),
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const one of series) {
      const name = pipelineOf(one);
      const { receive, record } = stack.functions[name];
      const batch = batches[name].shift() ?? {};
      measured.receive[one].push(await cold(receive, webhookEvent(name, bodyOf(round, one))));
      measured.record[one].push(await cold(record, batch));
    }
  }
  return measured;
}

const emptyRuns = (): Runs => ({
  baseline: [],
  payhooks: [],
  'baseline again': [],
  'payhooks again': [],
});

const bodyOf = (round: number, purpose: string): Uint8Array =>
  bytesOf(paidEvent({ orderId: `order-${round}`, seed: `${round} ${purpose}` }));

async function cold(code: FunctionCode, event: object): Promise<Run> {
  const run = await runInstance(code, [event]);
  const [call] = run.calls;
  const { statusCode, batchItemFailures } = (call?.response ?? {}) as Record<string, unknown>;
  const isGood = statusCode === 202 || (Array.isArray(batchItemFailures) && batchItemFailures.length === 0);
  if (!isGood) throw new Error(`${code.file} returned ${JSON.stringify(call?.response)}.`);
  return run;
}

/** Enough batches of one message for both series of a pipeline. */
async function batchesOf(stack: Stack, name: PipelineName, rounds: number): Promise<object[]> {
  const bodies = Array.from({ length: 2 * rounds }, (_, index) => bodyOf(index, 'of a batch'));
  await runInstance(
    stack.functions[name].receive,
    bodies.map((body) => webhookEvent(name, body)),
  );
  return singleRecords(stack, name, bodies.length);
}

const parts: Readonly<Record<string, (run: Run) => number>> = {
  'load and prepare': (run) => run.loadMilliseconds,
  'first call': (run) => run.calls[0]?.milliseconds ?? Number.NaN,
  both: (run) => run.loadMilliseconds + (run.calls[0]?.milliseconds ?? 0),
};

const titles = { receive: 'verifier', record: 'consumer' } as const;

/** What each part of a cold start costs by the side of the baseline, and the same code by its own side. */
export function coldStartRows(measured: Readonly<Record<Stage, Runs>>) {
  return stages.flatMap((stage) =>
    Object.entries(parts).map(([part, of]) => {
      const at = (one: Series): number => median(measured[stage][one].map(of));
      const [usual, own] = [at('baseline'), at('payhooks')];
      const controls = { baseline: at('baseline again') / usual, payhooks: at('payhooks again') / own };
      return { stage, title: `${titles[stage]}: ${part}`, usual, own, ratio: own / usual, controls };
    }),
  );
}

export function coldStartTable(rows: ReturnType<typeof coldStartRows>): string {
  return table(
    'CPU time of a cold start | baseline | payhooks | payhooks ÷ baseline | each ÷ itself',
    rows.map(({ title, usual, own, controls }) => [
      title,
      `${usual.toFixed(1)} ms`,
      `${own.toFixed(1)} ms`,
      ratio(own, usual),
      `${controls.baseline.toFixed(2)}, ${controls.payhooks.toFixed(2)}`,
    ]),
  );
}
