import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { Item } from './front.ts';
import { type FunctionCode, runInstance } from './instance.ts';
import { webhookEvent } from './pipelines.ts';
import { type Stack, startStack } from './stack.ts';
import { singleRecords } from './warm.ts';

/** What a paid event that arrives alone uses in the baseline, when its functions are warm. */
export interface BaselineCounts {
  /** Of a REST API. */
  readonly gatewayRequests: number;
  readonly invocations: number;
  /** One to send, and Lambda's to receive and delete. */
  readonly queueRequests: number;
  /** DynamoDB's; a write in a transaction counts twice. */
  readonly writeUnits: number;
  /** Of both functions, without Lambda's own lines. */
  readonly logBytes: number;
}

/** Starts the baseline on emulators and counts what it calls and logs. */
export async function countBaseline(): Promise<BaselineCounts> {
  const stack = await startStack();
  try {
    const { receive, record } = stack.functions.baseline;
    const bodies = [0, 1, 2].map((n) =>
      bytesOf(paidEvent({ orderId: `counted-${n}`, seed: `counted ${n}` })),
    );
    const received = await second(
      stack,
      receive,
      bodies.map((body) => webhookEvent('baseline', body)),
    );
    const recorded = await second(stack, record, await singleRecords(stack, 'baseline', bodies.length));
    const calls = [...received.calls, ...recorded.calls];
    return {
      gatewayRequests: 1,
      invocations: 2,
      queueRequests: calls.filter(({ operation }) => operation === 'SendMessage').length + 2,
      writeUnits: calls.reduce((sum, call) => sum + writeUnitsOf(call), 0),
      logBytes: received.logBytes + recorded.logBytes,
    };
  } finally {
    await stack.stop();
  }
}

type Call = Stack['calls'][number];

/** What a warm event uses: two in one process, less what one alone uses in another. */
async function second(stack: Stack, code: FunctionCode, [first, ...others]: readonly object[]) {
  const alone = await runInstance(code, first === undefined ? [] : [first]);
  const before = stack.calls.length;
  const both = await runInstance(code, others);
  const calls = stack.calls.slice(before);
  const perEvent = calls.filter(({ operation }) => operation !== 'GetSecretValue');
  return { calls: perEvent.slice(perEvent.length / 2), logBytes: both.logBytes - alone.logBytes };
}

function writeUnitsOf({ operation, parameters }: Call): number {
  if (operation === 'PutItem') return units(itemBytes(parameters.Item ?? {}));
  // The rows that the baseline updates stay below 1 KB.
  if (operation === 'UpdateItem') return 1;
  if (operation !== 'TransactWriteItems') return 0;
  const writes = parameters.TransactItems ?? [];
  return 2 * writes.reduce((sum, { Put }) => sum + (Put === undefined ? 1 : units(itemBytes(Put.Item))), 0);
}

const units = (bytes: number): number => Math.ceil(bytes / 1024);

/** By AWS's rules: names and values, three bytes for a map, and one for each of its entries. */
function itemBytes(item: Item): number {
  const sizes = Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueBytes(value));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function valueBytes({ S, N, M }: Readonly<Record<string, unknown>>): number {
  if (M !== undefined) return 3 + Object.keys(M as Item).length + itemBytes(M as Item);
  if (S !== undefined) return Buffer.byteLength(String(S));
  return N === undefined ? 1 : Math.ceil(String(N).length / 2) + 1;
}
