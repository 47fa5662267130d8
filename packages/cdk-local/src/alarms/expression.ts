/** The value of an expression in one period; `undefined` where a metric that it needs has none. */
export type Expression = (read: (metricId: string) => number | undefined) => number | undefined;

interface Tokens {
  readonly rest: string[];
  /** Takes the next token if it is this one. */
  take(token: string): boolean;
}

/**
 * Metric math over single periods: `+`, `FILL(metric, number)`, and `MAX` or `MIN` of a list, such as
 * `MAX([one, another])`. For example `FILL(failed, 0) + FILL(crashed, 0)`. `undefined` for any other text.
 */
export function parseExpression(text: string, ids: readonly string[]): Expression | undefined {
  const rest = text.match(/\w+(?:\.\d+)?|\S/g) ?? [];
  const tokens: Tokens = { rest, take: (token) => rest[0] === token && rest.shift() !== undefined };
  const expression = parseSum(tokens, ids);
  return rest.length === 0 ? expression : undefined;
}

function parseSum(tokens: Tokens, ids: readonly string[]): Expression | undefined {
  let sum = parseTerm(tokens, ids);
  while (sum !== undefined && tokens.take('+')) {
    const [left, right] = [sum, parseTerm(tokens, ids)];
    sum = right && ((read) => added(left(read), right(read)));
  }
  return sum;
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

function added(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}
