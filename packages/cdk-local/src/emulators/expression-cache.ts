/** What dynalite's parsers read and write with the text of an expression. */
interface Context {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Readonly<Record<string, object>>;
  /** A parser removes what an expression uses. */
  readonly unusedAttrNames: Record<string, boolean>;
  readonly unusedAttrVals: Record<string, boolean>;
}

export interface Parser {
  parse(text: string, options: { readonly context: Context }): unknown;
}

type Names = ReadonlyMap<unknown, string>;

/** Without a value of the request that was parsed, because it is kept for longer than any request lasts. */
interface Parsed {
  /** Holds a placeholder for each value. */
  readonly result: object;
  /** The names of the values by placeholder. */
  readonly names: Names;
  readonly used: readonly string[];
}

/** A client with more different expressions than this builds them from data. */
const expressionsMax = 1_000;
/** What these accept depends on values; all others look at names and types only. */
const dependsOnValues = /between|attribute_type/i;

/**
 * Lets a parser of dynalite parse an expression once for all values of the same types: clients send a few
 * expressions again and again, and parsing one takes longer than the rest of the request. What is refused is
 * parsed again each time.
 */
export function cacheExpressions(parser: Parser): void {
  const { parse } = parser;
  const known = new Map<string, Parsed>();
  parser.parse = function parseOnce(text, options) {
    const { context } = options;
    const values = Object.entries(context.attrVals ?? {});
    if (dependsOnValues.test(text) || new Set(values.map(([, value]) => value)).size < values.length)
      return parse(text, options);
    const types = values.map(([name, value]) => `${name} ${Object.keys(value)}`);
    const key = JSON.stringify([text, context.attrNames, types]);
    const kept = known.get(key);
    const found = kept ?? parseApart(parse, text, context);
    if (found === undefined) return parse(text, options);
    if (kept === undefined) {
      if (known.size >= expressionsMax) known.clear();
      known.set(key, found);
    }
    for (const name of found.used) {
      delete context.unusedAttrNames[name];
      delete context.unusedAttrVals[name];
    }
    return withValues(found.result, found.names, context.attrVals);
  };
}

/** Without an effect on the context; `undefined` when the expression is refused. */
function parseApart(parse: Parser['parse'], text: string, context: Context): Parsed | undefined {
  const { attrNames = {}, attrVals = {} } = context;
  const all = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, true]));
  const unused = { unusedAttrNames: all(attrNames), unusedAttrVals: all(attrVals) };
  try {
    const result = parse(text, { context: { ...context, ...unused } });
    if (typeof result !== 'object' || result === null) return undefined;
    const left = { ...unused.unusedAttrNames, ...unused.unusedAttrVals };
    const used = [...Object.keys(attrNames), ...Object.keys(attrVals)].filter((name) => !(name in left));
    const placeholders = Object.fromEntries(Object.keys(attrVals).map((name) => [name, { name }]));
    return {
      result: withValues(result, nameByValue(attrVals), placeholders) as object,
      names: nameByValue(placeholders),
      used,
    };
  } catch {
    return undefined;
  }
}

const nameByValue = (values: object): Names =>
  new Map(Object.entries(values).map(([name, value]) => [value, name]));

/** A copy with the values of this request, because dynalite changes a result while it carries it out. */
function withValues<T>(part: T, names: Names, values: Context['attrVals']): T {
  if (typeof part !== 'object' || part === null) return part;
  const name = names.get(part);
  if (name !== undefined) return values?.[name] as T;
  if (Array.isArray(part)) return part.map((one) => withValues(one, names, values)) as T;
  const copy = Object.create(Object.getPrototypeOf(part));
  for (const key of Object.keys(part)) copy[key] = withValues(part[key as keyof T], names, values);
  return copy;
}
