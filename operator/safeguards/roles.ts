import {
  GetRoleCommand,
  GetRolePolicyCommand,
  IAMClient,
  ListAttachedRolePoliciesCommand,
  ListRolePoliciesCommand,
} from '@aws-sdk/client-iam';
import { awsClientOptions } from '../aws/client-options.ts';
import { referringTo } from '../aws/deployed-resources.ts';
import { policyFaults, type Statement, statementsOf } from './policy.ts';
import { safeguard } from './safeguard.ts';

/** What functions and schedules may do. */
export const roles = safeguard({
  type: 'AWS::IAM::Role',
  noun: 'role',
  open: () => new IAMClient(awsClientOptions),
  isThrottled: true,
  describe: async ({ client, id: RoleName }) => (await client.send(new GetRoleCommand({ RoleName }))).Role,
  absent: 'NoSuchEntityException',
  async compare(found, { client, deployed, resource, id: RoleName, what, resolve }) {
    const { properties } = resource;
    const { AttachedPolicies = [] } = await client.send(new ListAttachedRolePoliciesCommand({ RoleName }));
    const managed = [properties['ManagedPolicyArns'] ?? []].flat().map(resolve);
    const attached = AttachedPolicies.filter(({ PolicyArn }) => !managed.includes(PolicyArn));
    const policies = referringTo(deployed, resource, ['AWS::IAM::Policy', 'Roles']);
    return [
      ...attached.map(({ PolicyArn }) => ({
        message: `${what} has a policy that was not deployed: ${PolicyArn}`,
        fix: `aws iam detach-role-policy --role-name ${RoleName} --policy-arn ${PolicyArn}`,
      })),
      ...policyFaults({
        what: `${what} (who may assume it)`,
        wanted: statementsOf(resolve(properties['AssumeRolePolicyDocument'])),
        found: statementsOf(found.AssumeRolePolicyDocument),
      }),
      ...policyFaults({
        what,
        wanted: policies.flatMap((policy) => statementsOf(resolve(policy.properties['PolicyDocument']))),
        found: await inlineStatements(client, RoleName),
      }),
    ];
  },
});

async function inlineStatements(client: IAMClient, RoleName: string): Promise<readonly Statement[]> {
  const { PolicyNames = [] } = await client.send(new ListRolePoliciesCommand({ RoleName }));
  const policies = await Promise.all(
    PolicyNames.map((PolicyName) => client.send(new GetRolePolicyCommand({ RoleName, PolicyName }))),
  );
  return policies.flatMap(({ PolicyDocument }) => statementsOf(PolicyDocument));
}
