/** Rows that are read from a table once and from then on change only in memory. */
export interface Overlay<Ref, Row> {
  get(ref: Ref): Promise<Row>;
  /** Applies a change, which returns `undefined` to keep the row. Returns the row before and after. */
  update(
    ref: Ref,
    change: (row: Row) => Row | undefined,
  ): Promise<{ readonly before: Row; readonly after: Row }>;
}

export interface OverlayParts<Ref, Row> {
  readonly keyOf: (ref: Ref) => string;
  /** Reads the row from the table; called once for each key. */
  readonly read: (ref: Ref) => Promise<Row>;
}

/** Copy on write. */
export function createOverlay<Ref, Row>({ keyOf, read }: OverlayParts<Ref, Row>): Overlay<Ref, Row> {
  const places = new Map<string, Promise<{ row: Row }>>();

  function load(ref: Ref): Promise<{ row: Row }> {
    const key = keyOf(ref);
    const place = places.get(key) ?? read(ref).then((row) => ({ row }));
    places.set(key, place);
    return place;
  }

  return {
    async get(ref) {
      return (await load(ref)).row;
    },
    async update(ref, change) {
      const place = await load(ref);
      // From here on without a pause: concurrent changes of a row follow each other, as they do in DynamoDB.
      const before = place.row;
      const after = change(before) ?? before;
      place.row = after;
      return { before, after };
    },
  };
}
