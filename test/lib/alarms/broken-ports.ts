import type { OrderRow } from '../../../lambdas/ports/rows.ts';
import type { DeliveryStore, OrderReader, RepairStore } from '../../../lambdas/ports/stores.ts';

/** The port, every method of which throws while there is a fault: before it does its work, or after that. */
export function failing<Port extends object>(
  port: Port,
  faultBefore: () => Error | undefined,
  faultAfter: () => Error | undefined = () => undefined,
): Port {
  const check = (error: Error | undefined): void => {
    if (error !== undefined) throw error;
  };
  const methods = Object.entries(port).map(([name, method]) => [
    name,
    async (...given: unknown[]) => {
      check(faultBefore());
      const result = await method(...given);
      check(faultAfter());
      return result;
    },
  ]);
  return Object.fromEntries(methods) as Port;
}

type Store = DeliveryStore & RepairStore;

/** The writes of orders, each of which the stream shows. */
export function observed(
  store: Store,
  orders: OrderReader,
  onWrite: (before: OrderRow | undefined, after: OrderRow) => void,
): Pick<Store, 'merge' | 'commit'> {
  return {
    async merge(merging) {
      const before = await orders.get(merging.order);
      const merged = await store.merge(merging);
      const after = merged.changed ? await orders.get(merging.order) : undefined;
      if (after !== undefined) onWrite(before, after);
      return merged;
    },
    async commit(changes) {
      const result = await store.commit(changes);
      const written = result.kind === 'committed' ? changes.orders : [];
      for (const { before, after } of written) if (before !== after) onWrite(before, after);
      return result;
    },
  };
}
