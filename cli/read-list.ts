import type { Session } from './session.ts';

interface Page {
  readonly next_cursor: string | null;
}

interface ListReading<Row, Result extends Page> {
  /** Such as `orders`. */
  readonly what: string;
  /** How many rows are shown. */
  readonly limit: number;
  readonly request: (cursor: string | undefined) => Promise<Result>;
  readonly rowsOf: (page: Result) => readonly Row[];
}

/** Reads pages until the limit: a page with filters may be short, or empty. */
export async function readList<Row, Result extends Page>(
  { terminal }: Session,
  { what, limit, request, rowsOf }: ListReading<Row, Result>,
): Promise<{ readonly rows: readonly Row[]; readonly hasMore: boolean }> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    terminal.progress(`Reading ${what}, ${rows.length} so far …`);
    const page = await request(cursor);
    rows.push(...rowsOf(page));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < limit);
  return { rows: rows.slice(0, limit), hasMore: cursor !== undefined || rows.length > limit };
}
