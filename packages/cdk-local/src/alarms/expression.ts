/** The value of an expression in one period; `undefined` where a metric that it needs has none. */
export type Expression = (read: (metricId: string) => number | undefined) => number | undefined;

interface Tokens {
  readonly rest: string[];
  /** Takes the next token if it is this one. */
  take(token: string): boolean;
}

/**
 * Metric math over single periods: `+`, `-`, `*`, numbers, `FILL(metric, number)`, and `MAX` or `MIN` of a
 * list, such as `MAX([one, another])`. For example `2 * FILL(failed, 0) - FILL(all, 0)`. `undefined` for any
 * other text.
 */
export function parseExpression(text: string, ids: readonly string[]): Expression | undefined {
  const rest = text.match(/\w+(?:\.\d+)?|\S/g) ?? [];
  const tokens: Tokens = { rest, take: (token) => rest[0] === token && rest.shift() !== undefined };
  const expression = parseSum(tokens, ids);
  return rest.length === 0 ? expression : undefined;
}

type Operation = (left: number, right: number) => number;
const operations: readonly Readonly<Record<string, Operation>>[] = [
  { '+': (left, right) => left + right, '-': (left, right) => left - right },
  { '*': (left, right) => left * right },
];

/** From the operations that bind least on. */
function parseSum(tokens: Tokens, ids: readonly string[], level = 0): Expression | undefined {
  const known = operations[level];
  if (known === undefined) return parseTerm(tokens, ids);
  let result = parseSum(tokens, ids, level + 1);
  for (;;) {
    const operation = known[tokens.rest[0] ?? ''];
    if (result === undefined || operation === undefined) return result;
    tokens.rest.shift();
    const [left, right] = [result, parseSum(tokens, ids, level + 1)];
    result = right && ((read) => computed(operation, left(read), right(read)));
  }
}

function parseTerm(tokens: Tokens, ids: readonly string[]): Expression | undefined {
  const [token = ''] = tokens.rest.splice(0, 1);
  if (token === 'FILL' && tokens.take('(')) {
    const inner = parseSum(tokens, ids);
    const filling = tokens.take(',') ? Number(tokens.rest.shift()) : Number.NaN;
    if (inner === undefined || Number.isNaN(filling) || !tokens.take(')')) return undefined;
    return (read) => inner(read) ?? filling;
  }
  const bound = bounds[token];
  if (bound !== undefined && tokens.take('(') && tokens.take('[')) return parseBound(bound, tokens, ids);
  if (/^\d/.test(token)) return () => Number(token);
  return ids.includes(token) ? (read) => read(token) : undefined;
}

type Bound = (...values: number[]) => number;
const bounds: Readonly<Record<string, Bound>> = { MAX: Math.max, MIN: Math.min };

/** After `MAX([` or `MIN([`; a member without a value does not count. */
function parseBound(bound: Bound, tokens: Tokens, ids: readonly string[]): Expression | undefined {
  const members: Expression[] = [];
  do {
    const member = parseSum(tokens, ids);
    if (member === undefined) return undefined;
    members.push(member);
  } while (tokens.take(','));
  if (!tokens.take(']') || !tokens.take(')')) return undefined;
  return (read) => {
    const values = members.map((member) => member(read)).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : bound(...values);
  };
}

const computed = (
  operation: Operation,
  left: number | undefined,
  right: number | undefined,
): number | undefined => (left === undefined || right === undefined ? undefined : operation(left, right));
