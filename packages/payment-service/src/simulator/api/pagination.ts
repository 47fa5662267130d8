import * as v from 'valibot';
import { checkJson } from '../../json.ts';
import { invalid, mismatched, type Read, read, refuse } from './response.ts';

/** The query parameters of a list (section 4.1). */
interface PageRequest {
  readonly sort_field: string;
  readonly sort_order: 'asc' | 'desc';
  readonly page: number;
  readonly limit: number;
}

/** Section 8: a higher limit is "capped", not refused. */
const limitMax = 50;

const positive = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'a whole number from 1'), v.transform(Number));

/** Reads the query strictly: a misspelt or repeated parameter is an error, not a default. */
export function readPage(query: URLSearchParams, sortFields: readonly string[]): Read<PageRequest> {
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return refuse(invalid(repeated, 'given more than once'));
  const schema = v.strictObject({
    sort_field: v.optional(v.picklist(sortFields, `one of ${sortFields.join(', ')}`), 'created_at'),
    sort_order: v.optional(v.picklist(['asc', 'desc'], 'asc or desc'), 'desc'),
    page: v.optional(positive, '1'),
    limit: v.optional(positive, '10'),
  });
  const page = checkJson(schema, Object.fromEntries(query));
  if (!page.ok) return refuse(mismatched(page.mismatch));
  return read({ ...page.value, limit: Math.min(page.value.limit, limitMax) });
}

/** The paginated collection of section 2.2. `items` are in the order of their creation. */
export function paginate<Item extends object>(
  object: string,
  items: readonly Item[],
  { sort_field, sort_order, page, limit }: PageRequest,
) {
  const keyOf = (item: Item): string => String(item[sort_field as keyof Item]);
  // Times are whole seconds: the sort is stable, so that the later one of a second still counts as later.
  const ascending = items.toSorted((a, b) => compare(keyOf(a), keyOf(b)));
  const sorted = sort_order === 'asc' ? ascending : ascending.toReversed();
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
