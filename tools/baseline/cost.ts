import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { addUsages, type Usage, usageOf } from '../cost-model/bill.ts';
import { webhookEvent } from '../cost-model/production.ts';
import { memoryOf } from '../cost-model/scenarios.ts';
import { type Run, runInstance } from './instance.ts';
import { type OtherBuild, type Stack, startStack, takeBatches } from './stack.ts';

/** What a paid event uses in each other build, alone in its batch and as one of ten. */
export type OtherUsages = Readonly<Record<OtherBuild, { readonly one: Usage; readonly ten: Usage }>>;

const events = 20;

export async function measureOtherBuilds(): Promise<OtherUsages> {
  const stack = await startStack();
  try {
    const measure = async (build: OtherBuild) => ({
      one: await usageOfEvent(stack, build, 1),
      ten: await usageOfEvent(stack, build, 10),
    });
    return { usual: await measure('usual'), lean: await measure('lean') };
  } finally {
    await stack.stop();
  }
}

/** With the memory and the assumed durations of payhooks' functions, and without an access log. */
async function usageOfEvent(stack: Stack, build: OtherBuild, perBatch: number): Promise<Usage> {
  const { receive, record } = stack.functions[build];
  const webhooks = Array.from({ length: events }, (_, n) =>
    webhookEvent(bytesOf(paidEvent({ orderId: `counted-${n}`, seed: `counted ${perBatch} ${n}` }))),
  );
  const before = stack.calls.length;
  const received = await runInstance(receive, webhooks);
  const recorded = await runInstance(record, await takeBatches(stack, build, { messages: events, perBatch }));
  // The first call of an instance also reads its key.
  const calls = stack.calls.slice(before).map((usage) => [{ ...usage, secretReads: 0 }, 1] as const);
  const billed = { accessLogFormat: '', memoryMegabytes: memoryOf(stack.model) };
  const invocation = (stage: 'verifier' | 'consumer', records: number, { logBytes }: Run): Usage =>
    usageOf(
      { stage, records, calls: [], logBytes: (logBytes * records) / events, isLogged: build === 'usual' },
      billed,
    );
  return addUsages(
    [addUsages(...calls), 1 / events],
    [invocation('verifier', 1, received), 1],
    [invocation('consumer', perBatch, recorded), 1 / perBatch],
  );
}
