import { GetFunctionConfigurationCommand, GetPolicyCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { serviceOptions } from '../aws/client-options.ts';
import { referringTo } from '../aws/deployed-resources.ts';
import { absentAt } from '../aws/errors.ts';
import { deployCommandOf } from '../stack/stack.ts';
import { policyFaults, type Statement, statementsOf } from './policy.ts';
import { type Fault, type Inspected, safeguard } from './safeguard.ts';

/** CloudFormation notes the time of a change a little after Lambda, and by another clock. */
const clockDifferenceMilliseconds = 60_000;

/** Nobody runs other code in a function, under another role, or invokes one that only AWS should. */
export const functions = safeguard({
  type: 'AWS::Lambda::Function',
  noun: 'function',
  open: (stack) => new LambdaClient(serviceOptions(stack, 'lambda')),
  describe: ({ client, id: FunctionName }) =>
    client.send(new GetFunctionConfigurationCommand({ FunctionName })),
  async compare({ Role, LastModified = '' }, at) {
    const { deployed, resource, what, resolve } = at;
    const faults: Fault[] = [];
    const wantedRole = resolve(resource.properties['Role']);
    if (wantedRole !== undefined && Role !== wantedRole)
      faults.push({ message: `${what} runs under ${Role}` });
    // CloudFormation cannot compare code, so a deployment of the same code changes nothing either.
    const changedAt = Date.parse(LastModified);
    const { deployedAt } = resource;
    if (deployedAt !== undefined && changedAt - deployedAt.getTime() > clockDifferenceMilliseconds) {
      faults.push({
        message: `${what} was changed at ${new Date(changedAt).toISOString()}, after its deployment`,
        fix:
          'find out who did it in CloudTrail (UpdateFunctionCode, UpdateFunctionConfiguration); then ' +
          'deploy code that differs, such as the previous release, and this one again: ' +
          deployCommandOf(deployed.stack),
      });
    }
    // An alias has a policy of its own.
    const aliases = referringTo(deployed, resource, ['AWS::Lambda::Alias', 'FunctionName']);
    const invoked = [resource, ...aliases].map((target) => permissionFaults(at, target));
    return [...faults, ...(await Promise.all(invoked)).flat()];
  },
});

async function permissionFaults(
  { client, deployed, resolve }: Inspected<LambdaClient>,
  target: Inspected<LambdaClient>['resource'],
): Promise<readonly Fault[]> {
  const { physicalId: FunctionName } = target;
  const own = referringTo(deployed, target, ['AWS::Lambda::Permission', 'FunctionName']);
  const withoutPolicy = absentAt('ResourceNotFoundException');
  const found = await client.send(new GetPolicyCommand({ FunctionName })).catch(withoutPolicy);
  return policyFaults({
    what: `the function ${FunctionName}`,
    wanted: own.map(({ properties }) => statementOf(resolve(properties) as Readonly<Record<string, string>>)),
    found: statementsOf(found?.Policy),
    removalOf: ({ Sid }) =>
      `aws lambda remove-permission --function-name ${FunctionName} --statement-id ${Sid}`,
  });
}

/** The statement that Lambda makes of a permission. */
function statementOf(permission: Readonly<Record<string, string>>): Statement {
  const { FunctionName: Resource, Action, Principal = '', SourceArn, SourceAccount } = permission;
  return {
    ...{ Effect: 'Allow', Action, Resource },
    Principal: Principal.endsWith('.amazonaws.com') ? { Service: Principal } : { AWS: Principal },
    Condition: {
      ...(SourceArn && { ArnLike: { 'aws:SourceArn': SourceArn } }),
      ...(SourceAccount && { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
    },
  };
}
