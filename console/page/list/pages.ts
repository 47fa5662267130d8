import { getApi, type Query } from '../data/api.ts';

const pageItems = 100;
/** In a row without a row to show, before the reader decides. */
const emptyPagesMax = 20;
/** A list has up to 20 parts, and stored data may change every second. */
const keptMilliseconds = 60_000;

/** Where the rows of a list are from. */
export interface ListSource<Row> {
  /** The route that lists the rows, newest first, and the field of its response that has them. */
  readonly path: '/orders' | '/operations/events';
  readonly field: 'orders' | 'events';
  /** Of a row, whatever became of it. */
  idOf(row: Row): string;
  /** By which the rows are sorted; ISO 8601. */
  timeOf(row: Row): string;
}

export interface ListPart<Row> {
  /** Newest first. */
  readonly rows: readonly Row[];
  /** Milliseconds since the epoch; of the first part, when it was read as a whole. */
  readonly readAt: number;
  readonly next: string | null;
}

/** What a list shows: its parts, and the cursor that led to each. */
export interface ShownParts<Row> {
  readonly pages: readonly ListPart<Row>[];
  readonly pageParams: readonly (string | undefined)[];
}

/**
 * Reads a part that may be shown already. Of several parts only the top is read every time, and each of them
 * once a minute: until then, a row that has changed, or has left a filtered list, may stay in it.
 */
export async function readPartAgain<Row>(
  source: Pick<ListSource<Row>, 'idOf' | 'timeOf'>,
  read: (cursor: string | undefined) => Promise<ListPart<Row>>,
  cursor: string | undefined,
  { pages, pageParams }: ShownParts<Row> = { pages: [], pageParams: [] },
): Promise<ListPart<Row>> {
  const shown = pages.length > 1 ? pages[pageParams.indexOf(cursor)] : undefined;
  if (shown === undefined || Date.now() - shown.readAt >= keptMilliseconds) return read(cursor);
  if (cursor !== undefined) return shown;
  const part = await read(cursor);
  const [oldest, newest] = [part.rows.at(-1), shown.rows[0]];
  // No row can be missing between what was read and what is shown.
  const reaches =
    oldest !== undefined && newest !== undefined && source.timeOf(oldest) <= source.timeOf(newest);
  if (part.next === null || !reaches) return part;
  const { readAt, next } = shown;
  return { rows: latestOf(source, [...part.rows, ...shown.rows]), readAt, next };
}

/** A row that changed between two readings is in both: its first state is the newest. */
export function latestOf<Row>({ idOf }: Pick<ListSource<Row>, 'idOf'>, rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => !seen.has(idOf(row)) && seen.add(idOf(row)));
}

/** Reads what follows `cursor`, until there is a row to show. */
export async function readPart<Row>(
  { path, field }: Pick<ListSource<Row>, 'path' | 'field'>,
  query: Query,
  cursor: string | undefined,
): Promise<ListPart<Row>> {
  const readAt = Date.now();
  let [rows, next]: [readonly Row[], string | null] = [[], cursor ?? null];
  for (let pages = 0; pages < emptyPagesMax && rows.length === 0; pages += 1) {
    const page = await getApi<{ next_cursor: string | null } & Record<typeof field, readonly Row[]>>(path, {
      ...{ ...query, limit: pageItems },
      ...(next !== null && { cursor: next }),
    });
    [rows, next] = [page[field], page.next_cursor];
    if (next === null) break;
  }
  return { rows, readAt, next };
}
