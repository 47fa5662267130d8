import * as v from 'valibot';
import { unknownPart } from '../aws/deployed-resources.ts';
import type { Fault } from './safeguard.ts';

const statementSchema = v.looseObject({
  Sid: v.optional(v.string()),
  Effect: v.string(),
  Action: v.unknown(),
});
export type Statement = v.InferOutput<typeof statementSchema>;
const listSchema = v.union([
  v.array(statementSchema),
  v.pipe(
    statementSchema,
    v.transform((statement) => [statement]),
  ),
]);
const policySchema = v.object({ Statement: listSchema });

/** The statements of a policy: a document, or JSON, which IAM encodes as in a URL. None without a policy. */
export function statementsOf(policy: unknown): readonly Statement[] {
  if (policy === undefined || policy === '') return [];
  if (typeof policy !== 'string') return v.parse(policySchema, policy).Statement;
  return statementsOf(JSON.parse(policy.startsWith('%') ? decodeURIComponent(policy) : policy));
}

interface ComparedPolicy {
  /** Such as `the queue shop-queue`. */
  readonly what: string;
  readonly wanted: readonly Statement[];
  readonly found: readonly Statement[];
  /** Others may add statements to it, which are not judged. */
  readonly isShared?: true;
  /** What takes a statement away that was added; by default a deployment. */
  readonly removalOf?: (statement: Statement) => string;
}

/** Compares what statements say, not their ids, which AWS makes for some. */
export function policyFaults(compared: ComparedPolicy): readonly Fault[] {
  const { what, isShared = false, removalOf } = compared;
  const [wanted, found] = [compared.wanted.map(readStatement), compared.found.map(readStatement)];
  const missing = wanted.filter(({ meaning }) => !found.some((one) => isMatch(meaning, one.meaning)));
  const added = found.filter(({ meaning }) => !wanted.some((one) => isMatch(one.meaning, meaning)));
  return [
    ...missing.map(({ name }) => ({
      message: `the policy of ${what} lacks a statement, or has it in another form: ${name}`,
    })),
    ...(isShared ? [] : added).map(({ name, statement }) => ({
      message: `the policy of ${what} has a statement that was not deployed: ${name}`,
      ...(removalOf && { fix: removalOf(statement) }),
    })),
  ];
}

function readStatement(statement: Statement) {
  const { Sid, ...said } = statement;
  const Action = [said.Action].flat().map((action) => `${action}`.toLowerCase());
  // What names a statement to a person: its id, or what it does.
  const name = Sid ?? `${said.Effect} ${[said.Action].flat().join(', ')}`;
  return { statement, name, meaning: fieldsIn({ ...said, Action }) };
}

/** The values of a statement by their paths, such as `condition/arnlike/aws:sourcearn`. */
type Meaning = ReadonlyMap<string, readonly string[]>;

/** The same for all forms of one statement, such as one value or a list of one. */
function fieldsIn(value: unknown, path = ''): Meaning {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    // For everyone: `"*"` and `{"AWS": "*"}`.
    return new Map([[path.replace(/^(\/principal)\/aws$/, '$1'), [value].flat().map(String)]]);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return new Map(entries.flatMap(([key, item]) => [...fieldsIn(item, `${path}/${key.toLowerCase()}`)]));
}

const isMatch = (wanted: Meaning, found: Meaning): boolean =>
  wanted.size === found.size &&
  [...wanted].every(([path, values]) => hasSame(values.map(patternOf), found.get(path) ?? []));

/** In any order. A value of which AWS alone knows a part is among the patterns. */
const hasSame = (patterns: readonly RegExp[], values: readonly string[]): boolean =>
  patterns.length === values.length &&
  patterns.every((pattern) => values.some((value) => pattern.test(value))) &&
  values.every((value) => patterns.some((pattern) => pattern.test(value)));

const patternOf = (value: string): RegExp =>
  new RegExp(`^${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(unknownPart, '.*')}$`);
