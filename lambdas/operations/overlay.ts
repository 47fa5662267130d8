/** Rows that are read from a table once and from then on change only in memory. */
export interface Overlay<Ref, Row> {
  get(ref: Ref): Promise<Row | undefined>;
  /** Applies a change, which returns `undefined` to keep the row. Returns the row before and after. */
  update(
    ref: Ref,
    change: (row: Row | undefined) => Row | undefined,
  ): Promise<{ readonly before: Row | undefined; readonly after: Row | undefined }>;
}

export interface OverlayParts<Ref, Row> {
  readonly keyOf: (ref: Ref) => string;
  /** Reads the row from the table; called once for each key. */
  readonly read: (ref: Ref) => Promise<Row | undefined>;
}

/** Copy on write. */
export function createOverlay<Ref, Row>({ keyOf, read }: OverlayParts<Ref, Row>): Overlay<Ref, Row> {
  const rows = new Map<string, Row | undefined>();
  const reads = new Map<string, Promise<void>>();

  async function load(ref: Ref): Promise<string> {
    const key = keyOf(ref);
    let reading = reads.get(key);
    if (reading === undefined) {
      reading = read(ref).then((row) => {
        rows.set(key, row);
      });
      reads.set(key, reading);
    }
    await reading;
    return key;
  }

  return {
    async get(ref) {
      return rows.get(await load(ref));
    },
    async update(ref, change) {
      const key = await load(ref);
      // From here on without a pause: concurrent changes of a row follow each other, as they do in DynamoDB.
      const before = rows.get(key);
      const after = change(before) ?? before;
      rows.set(key, after);
      return { before, after };
    },
  };
}
