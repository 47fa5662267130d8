import * as v from 'valibot';
import { invalid, readFields } from './response.ts';

const positive = v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/, 'a whole number from 1'), v.transform(Number));

/** The query parameters of a list (section 4.1). */
const pageSchema = (sortFields: readonly string[]) =>
  v.strictObject({
    sort_field: v.optional(v.picklist(sortFields, `one of ${sortFields.join(', ')}`), 'created_at'),
    sort_order: v.optional(v.picklist(['asc', 'desc'], 'asc or desc'), 'desc'),
    page: v.optional(positive, '1'),
    // Section 8: a higher limit is "capped", not refused.
    limit: v.optional(v.pipe(positive, v.toMaxValue(50)), '10'),
  });

type PageRequest = v.InferOutput<ReturnType<typeof pageSchema>>;

/** Reads the query strictly: a misspelt or repeated parameter is an error, not a default. */
export function readPage(query: URLSearchParams, sortFields: readonly string[]): PageRequest {
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw invalid(repeated, 'given more than once');
  return readFields(pageSchema(sortFields), Object.fromEntries(query));
}

/** The paginated collection of section 2.2. `items` are in the order of their creation. */
export function paginate<Item extends object>(
  object: string,
  items: readonly Item[],
  { sort_field, sort_order, page, limit }: PageRequest,
) {
  const keyOf = (item: Item): string => String(item[sort_field as keyof Item]);
  // Times are whole seconds: the sort is stable, so that the later one of a second still counts as later.
  const ascending = items.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b), 'en'));
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
