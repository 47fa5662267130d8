import type { DeployedResource } from '../aws/stack-state.ts';
import { fieldsOf } from '../json-text.ts';

/** What a statement of a policy permits. Resources are texts once deployed, and references in a template. */
export interface Statement {
  readonly actions: readonly string[];
  readonly resources: readonly unknown[];
  readonly condition: unknown;
}

/** A policy of the template, and the role that it is deployed with. */
export interface TemplatePolicy {
  readonly policyName: string;
  readonly roleId: string;
  readonly statements: readonly Statement[];
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** The statements of a policy document that allow something. */
export function statementsOf(document: unknown): readonly Statement[] {
  return listOf(fieldsOf(document)['Statement'])
    .map(fieldsOf)
    .filter((statement) => statement['Effect'] === 'Allow')
    .map(({ Action, Resource, Condition }) => ({
      actions: listOf(Action).filter((action): action is string => typeof action === 'string'),
      resources: listOf(Resource),
      condition: Condition,
    }));
}

/** The inline policies that the template gives to roles of its own. */
export function templatePolicies(template: Readonly<Record<string, unknown>>): readonly TemplatePolicy[] {
  return Object.values(fieldsOf(template['Resources']))
    .map(fieldsOf)
    .filter((resource) => resource['Type'] === 'AWS::IAM::Policy')
    .flatMap((resource) => {
      const { PolicyName, PolicyDocument, Roles } = fieldsOf(resource['Properties']);
      const roleIds = listOf(Roles).map((role) => fieldsOf(role)['Ref']);
      return roleIds
        .filter((roleId): roleId is string => typeof roleId === 'string')
        .map((roleId) => ({
          policyName: String(PolicyName),
          roleId,
          statements: statementsOf(PolicyDocument),
        }));
    });
}

/** A statement that the template has, as it is deployed; `undefined` when the role no longer has it. */
export interface MatchedStatement {
  readonly wanted: Statement;
  readonly deployed: Statement | undefined;
}

/**
 * Finds each statement of the template among those of the role: the same actions, on resources that bear the
 * names of what the template refers to. So the template says what is needed, and IAM how it is called.
 */
export function matchStatements(
  wanted: readonly Statement[],
  deployed: readonly Statement[],
  resources: readonly DeployedResource[],
): readonly MatchedStatement[] {
  return wanted.map((statement) => {
    const names = referredNames(statement.resources, resources);
    const found = deployed.find(
      (candidate) =>
        statement.actions.every((action) => candidate.actions.includes(action)) &&
        names.every((name) => candidate.resources.some((arn) => String(arn).includes(name))),
    );
    return { wanted: statement, deployed: found };
  });
}

/** The names, as ARNs hold them, of the resources that a value refers to. */
function referredNames(value: unknown, resources: readonly DeployedResource[]): readonly string[] {
  return referredIds(value).flatMap((id) => {
    const physicalId = resources.find(({ logicalId }) => logicalId === id)?.physicalId;
    if (physicalId === undefined) return [];
    // The physical id of a queue is its address.
    return [/^https?:/.test(physicalId) ? (physicalId.split('/').at(-1) ?? physicalId) : physicalId];
  });
}

/** The logical ids in `Ref` and `Fn::GetAtt`, wherever they stand in a value. */
export function referredIds(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referredIds);
  const { Ref, 'Fn::GetAtt': attribute, ...rest } = fieldsOf(value);
  const ids = [Ref, listOf(attribute)[0]].filter((id): id is string => typeof id === 'string');
  return [...ids, ...Object.values(rest).flatMap(referredIds)];
}

/** One resource that stands for what a pattern of a policy permits. */
export const exampleOf = (arn: string): string =>
  arn === '*'
    ? arn
    : arn
        .replace(/(:log-group:[^:*]+):\*$/, '$1:log-stream:payhooks-smoke')
        .replaceAll('*', 'payhooks-smoke');
