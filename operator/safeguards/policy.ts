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
  readonly fix: string;
  /** What takes a statement away that was added; by default `fix`. */
  readonly removalOf?: (statement: Statement) => string;
}

/** Compares what statements say, not their ids, which AWS makes for some. */
export function policyFaults({ what, wanted, found, ...options }: ComparedPolicy): readonly Fault[] {
  const patterns = wanted.map((statement) => patternOf(meaningOf(statement)));
  const meanings = found.map(meaningOf);
  const missing = wanted.filter((_, index) => !meanings.some((meaning) => patterns[index]?.test(meaning)));
  const added = options.isShared
    ? []
    : found.filter((_, index) => !patterns.some((pattern) => pattern.test(meanings[index] ?? '')));
  return [
    ...missing.map((statement) => ({
      message: `the policy of ${what} lacks a statement, or has it in another form: ${nameOf(statement)}`,
      fix: options.fix,
    })),
    ...added.map((statement) => ({
      message: `the policy of ${what} has a statement that was not deployed: ${nameOf(statement)}`,
      fix: options.removalOf?.(statement) ?? options.fix,
    })),
  ];
}

/** What names a statement to a person: its id, or what it does. */
const nameOf = ({ Sid, Effect, Action }: Statement): string =>
  Sid ?? `${Effect} ${[Action].flat().join(', ')}`;

/** The same text for all forms of one statement: one value or a list of one, in any order. */
const meaningOf = ({ Sid: _, Action, ...statement }: Statement): string =>
  JSON.stringify(
    ordered({ ...statement, Action: [Action].flat().map((action) => `${action}`.toLowerCase()) }),
  );

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (Array.isArray(value)) return value.map(String).toSorted();
  const entries = Object.entries(value)
    .map(([key, item]) => [key.toLowerCase(), ordered(item)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [first, ...others] = entries;
  // For everyone: `"*"` and `{"AWS": "*"}`.
  return first?.[0] === 'aws' && others.length === 0 ? first[1] : Object.fromEntries(entries);
}

const patternOf = (meaning: string): RegExp =>
  new RegExp(`^${meaning.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(unknownPart, '[^"]*')}$`);
