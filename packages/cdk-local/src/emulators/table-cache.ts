type Done = (error: unknown, value?: unknown) => void;

export interface TableStore {
  readonly tableDb: {
    put(name: string, table: object, done: Done): void;
    del(name: string, done: Done): void;
  };
  /** Operations on items leave out `isActive`. */
  getTable(name: string, isActive: boolean | Done, done?: Done): void;
}

/** Keeps the descriptions of tables, which dynalite reads and decodes for each operation on an item. */
export function cacheTables(store: TableStore): void {
  const { getTable, tableDb } = store;
  const { put, del } = tableDb;
  const known = new Map<string, unknown>();
  let changes = 0;
  const change = (): void => {
    changes += 1;
    known.clear();
  };
  // Before and after, because a read that is under way may see the old description until the end.
  const changing = (done: Done): Done => {
    change();
    return (...outcome) => {
      change();
      done(...outcome);
    };
  };
  tableDb.put = (name, table, done) => put(name, table, changing(done));
  tableDb.del = (name, done) => del(name, changing(done));
  store.getTable = (name, isActive, done) => {
    if (typeof isActive !== 'function') return getTable(name, isActive, done);
    if (known.has(name)) return isActive(null, known.get(name));
    const changesBefore = changes;
    getTable(name, (error, table) => {
      if (!error && changes === changesBefore) known.set(name, table);
      isActive(error, table);
    });
  };
}
