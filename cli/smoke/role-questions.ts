import type { ContextEntry } from '@aws-sdk/client-iam';
import { fieldsOf } from '../json-text.ts';
import { dangerousActions } from './dangerous-actions.ts';
import { exampleOf, type Statement } from './role-needs.ts';

/** What IAM is asked about one role and one resource. */
export interface RoleQuestion {
  readonly resource: string;
  /** What must be allowed. */
  readonly needs: readonly string[];
  /** What must not be. */
  readonly dangers: readonly string[];
  readonly context: readonly ContextEntry[];
}

export interface Asking {
  /** The statements of the role, as they are deployed. */
  readonly statements: readonly Statement[];
  /** What any role of the stack works with, this one too, and the roles themselves. */
  readonly everything: readonly string[];
  /** What every request is taken to say of itself. */
  readonly context: readonly ContextEntry[];
}

/** A question for each resource that the role needs, or on which something is dangerous. */
export function roleQuestions({ statements, everything, context }: Asking): readonly RoleQuestion[] {
  const needed = statements.flatMap(({ actions, resources, condition }) =>
    resourcesOf(resources).map((resource) => ({ resource, actions, context: contextOf(condition) })),
  );
  return [...new Set(everything)]
    .map((resource) => {
      const own = needed.filter((one) => one.resource === resource);
      const needs = [...new Set(own.flatMap(({ actions }) => actions))];
      const dangers = dangerousActions(resource).filter((action) => !needs.includes(action));
      // IAM takes each key once.
      const entries = [...own.flatMap((one) => one.context), ...context];
      const byKey = new Map(entries.map((entry) => [entry.ContextKeyName, entry]));
      return { resource, needs, dangers, context: [...byKey.values()] };
    })
    .filter(({ needs, dangers }) => needs.length + dangers.length > 0);
}

export const resourcesOf = (resources: readonly unknown[]): readonly string[] =>
  resources.map((resource) => exampleOf(String(resource)));

/** The first value that each condition of a statement accepts. */
function contextOf(condition: unknown): ContextEntry[] {
  return Object.entries(fieldsOf(condition)).flatMap(([operator, keys]) =>
    Object.entries(fieldsOf(keys)).map(([ContextKeyName, values]) => ({
      ContextKeyName,
      ContextKeyType: /^Bool/.test(operator) ? ('boolean' as const) : ('string' as const),
      ContextKeyValues: [String(Array.isArray(values) ? values[0] : values)],
    })),
  );
}
