import {
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  ListAttachedRolePoliciesCommand,
  ListRolePoliciesCommand,
} from '@aws-sdk/client-iam';
import { awsClientOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType, resolverOf } from '../aws/deployed-resources.ts';
import { absentAt } from '../aws/errors.ts';
import { counted } from '../check-result.ts';
import { revertDriftOf } from '../stack/stack.ts';
import { policyFaults, type Statement, statementsOf } from './policy.ts';
import type { Fault, Safeguard } from './safeguard.ts';

/** What functions and schedules may do. */
export const roles: Safeguard = {
  name: 'roles',
  async inspect(deployed) {
    const client = new IAMClient(awsClientOptions);
    const all = ofType(deployed, 'AWS::IAM::Role');
    const faults: Fault[] = [];
    // One after the other: IAM throttles an account at a few requests a second.
    for (const role of all) faults.push(...(await faultsOf(client, deployed, role)));
    return { holds: `${counted(all.length, 'role')}: with the policies as deployed`, faults };
  },
};

async function faultsOf(client: IAMClient, deployed: Deployed, role: DeployedResource): Promise<Fault[]> {
  const { logicalId, physicalId: RoleName, properties } = role;
  const resolve = resolverOf(deployed);
  const fix = revertDriftOf(deployed.stack);
  const found = await client.send(new GetRoleCommand({ RoleName })).catch(absentAt('NoSuchEntityException'));
  if (found?.Role === undefined) return [{ message: `the role ${RoleName} was deleted`, fix }];
  const { AttachedPolicies = [] } = await client.send(new ListAttachedRolePoliciesCommand({ RoleName }));
  const wanted = [properties['ManagedPolicyArns'] ?? []].flat().map((arn) => resolve(arn));
  const attached = AttachedPolicies.filter(({ PolicyArn }) => !wanted.includes(PolicyArn));
  const policies = ofType(deployed, 'AWS::IAM::Policy').filter((policy) =>
    JSON.stringify(policy.properties['Roles']).includes(`"${logicalId}"`),
  );
  const compared = (what: string, document: readonly Statement[], actual: readonly Statement[]) =>
    policyFaults({ what, wanted: document, found: actual, fix });
  return [
    ...attached.map(({ PolicyArn }) => ({
      message: `the role ${RoleName} has a policy that was not deployed: ${PolicyArn}`,
      fix: `aws iam detach-role-policy --role-name ${RoleName} --policy-arn ${PolicyArn}`,
    })),
    ...compared(
      `the role ${RoleName} (who may assume it)`,
      statementsOf(resolve(properties['AssumeRolePolicyDocument'])),
      statementsOf(found.Role.AssumeRolePolicyDocument),
    ),
    ...compared(
      `the role ${RoleName}`,
      policies.flatMap((policy) => statementsOf(resolve(policy.properties['PolicyDocument']))),
      await inlineStatements(client, RoleName),
    ),
  ];
}

async function inlineStatements(client: IAMClient, RoleName: string): Promise<readonly Statement[]> {
  const { PolicyNames = [] } = await client.send(new ListRolePoliciesCommand({ RoleName }));
  const policies = await Promise.all(
    PolicyNames.map((PolicyName) => client.send(new GetRolePolicyCommand({ RoleName, PolicyName }))),
  );
  return policies.flatMap(({ PolicyDocument }) => statementsOf(PolicyDocument));
}
