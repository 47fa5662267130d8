import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { Bench } from './bench.ts';
import { writeUnits } from './capacity.ts';
import { callsOf } from './scenarios.ts';

/** An order's row after a merge that left it with so many facts. */
export interface HotOrderMerge {
  readonly facts: number;
  readonly rowBytes: number;
  readonly tableWriteUnits: number;
  readonly indexWriteUnits: number;
}

/** The most bytes that DynamoDB takes in an item. */
const itemBytesMax = 400 * 1024;

const batchRecords = 10;
const hotBatches = 5;

/** Batches of ten paid events, all of one order: what the merge of each batch costs. */
export async function measureHotOrder(bench: Bench) {
  const merges: HotOrderMerge[] = [];
  let calls: Readonly<Record<string, number>> = {};
  for (let batch = 1; batch <= hotBatches; batch += 1) {
    for (let n = 0; n < batchRecords; n += 1) {
      await bench.webhook(bytesOf(paidEvent({ orderId: 'order-hot', seed: `hot ${batch} ${n}` })));
    }
    const consumed = await bench.consume();
    const published = await bench.publish();
    if (batch === 1) calls = callsOf([consumed, ...(published === undefined ? [] : [published])]);
    const merge = consumed.database.find(({ operation }) => operation === 'UpdateItem');
    if (merge === undefined) throw new Error('A batch of new events merged nothing.');
    const { bytes: rowBytes, tableWriteUnits, indexWriteUnits } = merge;
    merges.push({ facts: batch * batchRecords, rowBytes, tableWriteUnits, indexWriteUnits });
  }
  /** `calls` are those of consumer and order feed for the first batch. */
  return { merges, calls };
}

/** How an order's row grows: each fact is a member of its set, and nothing else changes. */
export interface RowGrowth {
  readonly emptyBytes: number;
  readonly factBytes: number;
}

/** Throws when the measured rows do not lie on a line, since then nothing can be said about larger ones. */
export function growthOf(merges: readonly HotOrderMerge[]): RowGrowth {
  const [first, ...others] = merges;
  const last = others.at(-1);
  if (first === undefined || last === undefined) throw new Error('A line needs two points.');
  const factBytes = (last.rowBytes - first.rowBytes) / (last.facts - first.facts);
  const emptyBytes = first.rowBytes - first.facts * factBytes;
  const off = merges.find(({ facts, rowBytes }) => Math.abs(emptyBytes + facts * factBytes - rowBytes) > 1);
  if (off !== undefined) throw new Error(`The row with ${off.facts} facts has ${off.rowBytes} bytes.`);
  return { emptyBytes, factBytes };
}

export const rowBytesAt = ({ emptyBytes, factBytes }: RowGrowth, facts: number): number =>
  Math.round(emptyBytes + facts * factBytes);

/** Write units of the merge that makes it so many facts, without the index. */
export const mergeUnitsAt = (growth: RowGrowth, facts: number): number =>
  writeUnits(0, rowBytesAt(growth, facts));

export const factsMax = ({ emptyBytes, factBytes }: RowGrowth): number =>
  Math.floor((itemBytesMax - emptyBytes) / factBytes);
