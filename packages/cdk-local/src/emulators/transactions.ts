import { AwsError } from './aws-error.ts';
import type { Operation } from './aws-json.ts';
import { conditionHolds, type Dynalite, type Item } from './dynalite.ts';

/** A check is prepared like a deletion, and not carried out. */
const operations = {
  Put: 'putItem',
  Update: 'updateItem',
  Delete: 'deleteItem',
  ConditionCheck: 'deleteItem',
} as const;
type Kind = keyof typeof operations;

interface Parameters {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
}

interface Transaction {
  readonly TransactItems: readonly Readonly<Partial<Record<Kind, Parameters>>>[];
}

/**
 * `TransactWriteItems`, which dynalite lacks: every condition is checked before the first write. Transactions
 * run one after the other, but another write may come between the checks and the writes of one.
 */
export function createTransactions(dynalite: Dynalite): Readonly<Record<string, Operation>> {
  async function existingItem({ TableName, Key, Item = {} }: Parameters): Promise<Item | undefined> {
    const { Table } = (await dynalite.run('describeTable', { TableName })) as {
      Table: { KeySchema: readonly { AttributeName: string }[] };
    };
    const names = Table.KeySchema.map(({ AttributeName }) => AttributeName);
    const key = Key ?? Object.fromEntries(names.map((name) => [name, Item[name] ?? {}]));
    return ((await dynalite.run('getItem', { TableName, Key: key })) as { Item?: Item }).Item;
  }

  async function write({ TransactItems }: Transaction): Promise<object> {
    const writes = TransactItems.flatMap((item) =>
      (Object.entries(item) as [Kind, Parameters][]).map(([kind, given]) => {
        return { kind, given, prepared: dynalite.prepare(operations[kind], given) };
      }),
    );
    const checked = writes.map(async ({ given, prepared }) =>
      conditionHolds(prepared, await existingItem(given)),
    );
    const holds = await Promise.all(checked);
    if (holds.includes(false)) {
      const reasons = holds.map((one) => (one ? 'None' : 'ConditionalCheckFailed')).join(', ');
      const sentence = 'Transaction cancelled, please refer cancellation reasons for specific reasons';
      throw new AwsError('TransactionCanceledException', `${sentence} [${reasons}]`);
    }
    for (const { kind, prepared } of writes)
      if (kind !== 'ConditionCheck') await dynalite.run(operations[kind], prepared);
    return {};
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    TransactWriteItems(transaction: Transaction) {
      const written = last.then(() => write(transaction));
      last = written.catch(() => {});
      return written;
    },
  };
}
