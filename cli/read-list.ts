interface Page {
  readonly next_cursor: string | null;
}

export interface ListReading<Row, Result extends Page> {
  /** How many rows are shown. */
  readonly limit: number;
  readonly request: (cursor: string | undefined) => Promise<Result>;
  readonly rowsOf: (page: Result) => readonly Row[];
  readonly onProgress: (read: number) => void;
}

/** Reads pages until the limit: a page with filters may be short, or empty. */
export async function readList<Row, Result extends Page>(
  reading: ListReading<Row, Result>,
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  const { limit, request, rowsOf, onProgress } = reading;
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    onProgress(rows.length);
    const page = await request(cursor);
    rows.push(...rowsOf(page));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < limit);
  return { rows: rows.slice(0, limit), hasMore: cursor !== undefined || rows.length > limit };
}
