import {
  type ContextEntry,
  type EvaluationResult,
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  SimulatePrincipalPolicyCommand,
  type SimulatePrincipalPolicyCommandInput,
} from '@aws-sdk/client-iam';
import { parseJson } from '../json-text.ts';
import { simulationAttemptsMax } from '../limits.ts';
import { awsClientOptions } from './client-options.ts';

/** A question to IAM: may the role do this to that. */
export interface Simulated {
  readonly roleArn: string;
  readonly actions: readonly string[];
  readonly resource: string;
  readonly context: readonly ContextEntry[];
}

export interface Decision {
  readonly action: string;
  readonly allowed: boolean;
  /** Who said no: `boundary`, `organisation`, or the policies of the role. */
  readonly refusedBy: 'boundary' | 'organisation' | 'policies';
  /** Condition keys that decided and that IAM was given no value for. */
  readonly missing: readonly string[];
  /** `false` when IAM was asked about one resource, and decided about `*`. */
  readonly isAboutResource: boolean;
}

export interface Roles {
  /** `undefined` when nobody has a role of that name. */
  arn(roleName: string): Promise<string | undefined>;
  /** The document of an inline policy; `undefined` when the role has none of that name. */
  inlinePolicy(roleName: string, policyName: string): Promise<unknown>;
  simulate(question: Simulated): Promise<readonly Decision[]>;
}

export function openRoles(): Roles {
  const client = new IAMClient({ ...awsClientOptions, maxAttempts: simulationAttemptsMax });
  return {
    async arn(RoleName) {
      const answer = await client.send(new GetRoleCommand({ RoleName })).catch(undefinedWhenMissing);
      return answer?.Role?.Arn;
    },
    async inlinePolicy(RoleName, PolicyName) {
      const request = new GetRolePolicyCommand({ RoleName, PolicyName });
      const answer = await client.send(request).catch(undefinedWhenMissing);
      return answer && parseJson(decodeURIComponent(answer.PolicyDocument ?? ''));
    },
    simulate: (question) => simulate(client, question),
  };
}

function undefinedWhenMissing(error: unknown): undefined {
  if (error instanceof Error && error.name.startsWith('NoSuchEntity')) return undefined;
  throw error;
}

/**
 * One resource to a request, so that the decision of an action is the decision about it. Actions that IAM
 * refuses to simulate together are asked one by one, and one that it does not simulate has no decision.
 */
async function simulate(client: IAMClient, question: Simulated): Promise<readonly Decision[]> {
  try {
    return await decisions(client, question);
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith('InvalidInput')) throw error;
    const { actions } = question;
    if (actions.length < 2) return [];
    const found: Decision[] = [];
    for (const action of actions) found.push(...(await simulate(client, { ...question, actions: [action] })));
    return found;
  }
}

async function decisions(client: IAMClient, question: Simulated): Promise<readonly Decision[]> {
  const input: SimulatePrincipalPolicyCommandInput = {
    PolicySourceArn: question.roleArn,
    ActionNames: [...question.actions],
    ResourceArns: [question.resource],
    ContextEntries: [...question.context],
  };
  const found: Decision[] = [];
  let Marker: string | undefined;
  do {
    const page = await client.send(new SimulatePrincipalPolicyCommand({ ...input, Marker }));
    found.push(...(page.EvaluationResults ?? []).map((result) => decisionOf(result, question.resource)));
    Marker = page.IsTruncated ? page.Marker : undefined;
  } while (Marker !== undefined);
  return found;
}

/** AWS tells details below the resource that was asked about; an emulator may not have that part. */
function decisionOf(result: EvaluationResult, resource: string): Decision {
  const [own] = result.ResourceSpecificResults ?? [];
  const boundary = own?.PermissionsBoundaryDecisionDetail ?? result.PermissionsBoundaryDecisionDetail;
  const isOrganisation = result.OrganizationsDecisionDetail?.AllowedByOrganizations === false;
  return {
    action: result.EvalActionName ?? '',
    allowed: (own?.EvalResourceDecision ?? result.EvalDecision) === 'allowed',
    refusedBy:
      boundary?.AllowedByPermissionsBoundary === false
        ? 'boundary'
        : isOrganisation
          ? 'organisation'
          : 'policies',
    missing: [...(own?.MissingContextValues ?? []), ...(result.MissingContextValues ?? [])],
    isAboutResource: resource === '*' || result.EvalResourceName !== '*',
  };
}
