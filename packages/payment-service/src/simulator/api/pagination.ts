import { type Answer, invalid, type Read, read, refuse } from './answer.ts';

/** The query parameters of a list (section 4.1). */
export interface PageRequest<Field extends string> {
  readonly sortField: Field;
  readonly sortOrder: 'asc' | 'desc';
  readonly page: number;
  readonly limit: number;
}

/** Section 8. */
const limitDefault = 10;
const limitMax = 50;
const parameters = ['sort_field', 'sort_order', 'page', 'limit'];

/** Reads the query strictly: a misspelt or repeated parameter is an error rather than a default. */
export function readPage<Field extends string>(
  query: URLSearchParams,
  sortFields: readonly Field[],
): Read<PageRequest<Field | 'created_at'>> {
  const fault = unknownParameter(query);
  if (fault !== undefined) return refuse(fault);
  const wanted = query.get('sort_field') ?? 'created_at';
  const sortField = wanted === 'created_at' ? wanted : sortFields.find((field) => field === wanted);
  if (sortField === undefined) return refuse(invalid('sort_field', `one of ${sortFields.join(', ')}`));
  const sortOrder = query.get('sort_order') ?? 'desc';
  if (sortOrder !== 'asc' && sortOrder !== 'desc') return refuse(invalid('sort_order', 'asc or desc'));
  const page = positive(query.get('page') ?? '1');
  if (page === undefined) return refuse(invalid('page', 'a whole number from 1'));
  const limit = positive(query.get('limit') ?? String(limitDefault));
  if (limit === undefined) return refuse(invalid('limit', 'a whole number from 1'));
  // Capped and not refused: the document's word for it is "capped at 50".
  return read({ sortField, sortOrder, page, limit: Math.min(limit, limitMax) });
}

function unknownParameter(query: URLSearchParams): Answer | undefined {
  for (const name of query.keys()) {
    if (!parameters.includes(name)) return invalid(name, 'no parameter of this operation');
    if (query.getAll(name).length > 1) return invalid(name, 'given more than once');
  }
  return undefined;
}

function positive(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** The paginated collection of section 2.2. `items` are in the order of their making. */
export function paginate<Field extends string, Item extends Readonly<Record<Field, unknown>>>(
  object: string,
  items: readonly Item[],
  { sortField, sortOrder, page, limit }: PageRequest<Field>,
) {
  // Times are whole seconds: the sort is stable, so that of one second the later one still counts as later.
  const ascending = items.toSorted((a, b) => compare(String(a[sortField]), String(b[sortField])));
  const sorted = sortOrder === 'asc' ? ascending : ascending.toReversed();
  return {
    object,
    data: sorted.slice((page - 1) * limit, page * limit),
    pagination: {
      current_page: page,
      per_page: limit,
      total: items.length,
      last_page: Math.max(1, Math.ceil(items.length / limit)),
    },
  };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
