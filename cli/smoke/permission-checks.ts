import type { ContextEntry } from '@aws-sdk/client-iam';
import type { Decision, Roles } from '../aws/roles.ts';
import type { DeployedResource } from '../aws/stack-state.ts';
import { deployCommandOf } from '../target/stack.ts';
import { counted, type Finding, failed, passed, skipped, unanswered } from './check.ts';
import type { Checks } from './checks.ts';
import { type Deployment, isLocal, notInLocalMode, revertDriftOf } from './deployment.ts';
import {
  type MatchedStatement,
  matchStatements,
  referredIds,
  type Statement,
  statementsOf,
  type TemplatePolicy,
  templatePolicies,
} from './role-needs.ts';
import { resourcesOf, roleQuestions } from './role-questions.ts';

interface RolePolicy extends TemplatePolicy {
  readonly roleName: string;
  /** `undefined` when the role is gone. */
  readonly roleArn: string | undefined;
  /** `undefined` when the role has lost the policy. */
  readonly matches: readonly MatchedStatement[] | undefined;
}

interface Stage {
  readonly roles: Roles;
  readonly policies: readonly RolePolicy[];
  /** Roles of the stack whose policies are not in the template as they are expected there. */
  readonly unread: readonly string[];
  readonly everything: readonly string[];
  readonly context: readonly ContextEntry[];
  /** What mends a change that was made by hand. */
  readonly revertDrift: string;
}

const name = 'roles';

/**
 * Asks IAM whether the roles may do what the template lets them do, which a boundary, an organisation or a
 * hand can take away, and whether they may do what nobody should. Policies of resources are not asked: IAM
 * leaves them out of a simulation.
 */
export async function checkPermissions(checks: Checks, deployment: Deployment): Promise<void> {
  let stage: Stage | undefined;
  await checks.run(name, async () => {
    if (isLocal(deployment)) return skipped(notInLocalMode('IAM'));
    stage = await readStage(deployment);
    return rolesFinding(stage, deployCommandOf(deployment.stack));
  });
  for (const policy of stage?.policies ?? []) {
    // Without the hash that CDK puts behind the path of a construct.
    const role = policy.roleId.replace(/[0-9A-F]{8}$/, '');
    await checks.run(role, () => roleFinding(stage as Stage, policy));
  }
}

function rolesFinding({ policies, unread }: Stage, deployCommand: string): Finding {
  if (unread.length > 0) {
    return unanswered(`the template has no AWS::IAM::Policy for ${unread.join(', ')}: nobody asked about it`);
  }
  const roles = new Set(policies.map(({ roleId }) => roleId)).size;
  if (roles > 0) return passed(`the template says what ${counted(roles, 'role')} may do`);
  return failed('the template lets no role do anything', deployCommand);
}

async function readStage(deployment: Deployment): Promise<Stage> {
  const { stack } = deployment;
  const [{ openStackState }, { openRoles }] = await Promise.all([
    import('../aws/stack-state.ts'),
    import('../aws/roles.ts'),
  ]);
  const roles = openRoles();
  const state = openStackState(stack.name);
  const resources = await state.resources();
  const policies: RolePolicy[] = [];
  for (const policy of templatePolicies(await state.template())) {
    policies.push(await readPolicy(roles, policy, resources));
  }
  const statements = policies
    .flatMap(({ matches }) => matches ?? [])
    .flatMap(({ deployed }) => deployed ?? []);
  const isRead = (roleId: string): boolean => policies.some((policy) => policy.roleId === roleId);
  const roleIds = resources.filter(({ type }) => type === 'AWS::IAM::Role').map(({ logicalId }) => logicalId);
  return {
    revertDrift: revertDriftOf(deployment),
    roles,
    policies,
    unread: roleIds.filter((roleId) => !isRead(roleId)),
    everything: [
      ...statements.flatMap((statement) => resourcesOf(statement.resources)),
      ...policies.flatMap(({ roleArn }) => roleArn ?? []),
    ],
    context: [
      { ContextKeyName: 'aws:SecureTransport', ContextKeyType: 'boolean', ContextKeyValues: ['true'] },
      { ContextKeyName: 'aws:RequestedRegion', ContextKeyType: 'string', ContextKeyValues: [stack.region] },
    ],
  };
}

async function readPolicy(
  roles: Roles,
  policy: TemplatePolicy,
  resources: readonly DeployedResource[],
): Promise<RolePolicy> {
  const roleName =
    resources.find(({ logicalId }) => logicalId === policy.roleId)?.physicalId ?? policy.roleId;
  const document = await roles.inlinePolicy(roleName, policy.policyName);
  const matches =
    document === undefined
      ? undefined
      : matchStatements(policy.statements, statementsOf(document), resources);
  return { ...policy, roleName, roleArn: await roles.arn(roleName), matches };
}

async function roleFinding(stage: Stage, policy: RolePolicy): Promise<Finding> {
  const { roleName, roleArn, policyName, matches } = policy;
  const { revertDrift } = stage;
  if (roleArn === undefined) return failed(`the role ${roleName} is gone`, revertDrift);
  if (matches === undefined) return failed(`${roleName} has lost its policy ${policyName}`, revertDrift);
  const lost = matches
    .filter(({ deployed }) => deployed === undefined)
    .map(({ wanted }) => sentenceOf(wanted));
  if (lost.length > 0) {
    return failed(`the policy of ${roleName} no longer allows ${lost.join('; ')}`, revertDrift);
  }
  return simulatedFinding(
    stage,
    roleArn,
    matches.flatMap(({ deployed }) => deployed ?? []),
  );
}

const sentenceOf = ({ actions, resources }: Statement): string =>
  `${actions.join(', ')} on ${referredIds(resources).join(', ') || 'its resource'}`;

async function simulatedFinding(
  { roles, everything, context, revertDrift }: Stage,
  roleArn: string,
  statements: readonly Statement[],
): Promise<Finding> {
  const faults: string[] = [];
  const unknown: string[] = [];
  const asked = { needs: 0, dangers: 0 };
  for (const question of roleQuestions({ statements, everything, context })) {
    const { resource, needs, dangers } = question;
    const actions = [...needs, ...dangers];
    const decisions = await roles.simulate({ roleArn, actions, resource, context: question.context });
    asked.needs += needs.length;
    asked.dangers += dangers.length;
    for (const action of actions) {
      const decision = decisions.find((one) => one.action.toLowerCase() === action.toLowerCase());
      const isNeeded = needs.includes(action);
      if (decision === undefined) unknown.push(`it says nothing of ${action}`);
      else if (isNeeded === decision.allowed) continue;
      else if (isNeeded && unsure(decision) !== undefined) unknown.push(`${action} ${unsure(decision)}`);
      else faults.push(faultOf(decision, action, resource));
    }
  }
  if (faults.length > 0) return failed(faults.join('; '), `docs/security.md#least-privilege; ${revertDrift}`);
  if (unknown.length > 0) return unanswered(`IAM could not tell: ${unknown.join('; ')}`);
  return passed(
    `may do the ${asked.needs} things that it needs, and none of ${asked.dangers} dangerous ones`,
  );
}

/** Why a refusal may be none. */
function unsure({ missing, isAboutResource, refusedBy }: Decision): string | undefined {
  if (missing.length > 0) return `depends on ${[...new Set(missing)].join(', ')}`;
  return isAboutResource || refusedBy !== 'policies' ? undefined : 'is simulated for all resources alone';
}

const refusers = {
  boundary: 'its permissions boundary',
  organisation: 'a policy of the organisation',
  policies: 'its policies',
} as const;

function faultOf({ allowed, refusedBy }: Decision, action: string, resource: string): string {
  if (allowed) return `may ${action} on ${resource}, which nobody should`;
  return `may not ${action} on ${resource}: refused by ${refusers[refusedBy]}`;
}
