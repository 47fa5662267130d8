import { GetFunctionConfigurationCommand, GetPolicyCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { serviceOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType, resolverOf } from '../aws/deployed-resources.ts';
import { counted } from '../check-result.ts';
import { deployCommandOf, revertDriftOf } from '../stack/stack.ts';
import { policyFaults, type Statement, statementsOf } from './policy.ts';
import { deletedByHand, type Fault, type Safeguard } from './safeguard.ts';

/** CloudFormation notes the time of a change a little after Lambda, and by another clock. */
const clockDifferenceMilliseconds = 60_000;

/** Nobody runs other code in a function, under another role, or invokes one that only AWS should. */
export const functions: Safeguard = {
  name: 'functions',
  async inspect(deployed) {
    const client = new LambdaClient(serviceOptions(deployed.stack, 'lambda'));
    const all = ofType(deployed, 'AWS::Lambda::Function');
    // An alias has a policy of its own.
    const invoked = [...all, ...ofType(deployed, 'AWS::Lambda::Alias')];
    const faults = await Promise.all([
      ...all.map((lambda) => configurationFaults(client, deployed, lambda)),
      ...invoked.map((target) => permissionFaults(client, deployed, target)),
    ]);
    return {
      holds: `${counted(all.length, 'function')}: unchanged since the deployment, invoked only as deployed`,
      faults: faults.flat(),
    };
  },
};

async function configurationFaults(
  client: LambdaClient,
  deployed: Deployed,
  { physicalId: FunctionName, deployedAt, properties }: DeployedResource,
): Promise<Fault[]> {
  const { stack } = deployed;
  const what = `the function ${FunctionName}`;
  const found = await client.send(new GetFunctionConfigurationCommand({ FunctionName })).catch(deletedByHand);
  if (found === undefined) return [{ message: `${what} was deleted`, fix: revertDriftOf(stack) }];
  const faults: Fault[] = [];
  const wantedRole = resolverOf(deployed)(properties['Role']);
  if (wantedRole !== undefined && found.Role !== wantedRole) {
    faults.push({ message: `${what} runs under ${found.Role}`, fix: revertDriftOf(stack) });
  }
  // CloudFormation cannot compare code, so a deployment of the same code changes nothing either.
  const changedAt = Date.parse(found.LastModified ?? '');
  if (deployedAt !== undefined && changedAt - deployedAt.getTime() > clockDifferenceMilliseconds) {
    faults.push({
      message: `${what} was changed at ${new Date(changedAt).toISOString()}, after its deployment`,
      fix:
        'find out who did it in CloudTrail (UpdateFunctionCode, UpdateFunctionConfiguration); then deploy ' +
        `code that differs, such as the previous release, and this one again: ${deployCommandOf(stack)}`,
    });
  }
  return faults;
}

async function permissionFaults(
  client: LambdaClient,
  deployed: Deployed,
  { logicalId, physicalId: FunctionName }: DeployedResource,
): Promise<readonly Fault[]> {
  const resolve = resolverOf(deployed);
  const own = ofType(deployed, 'AWS::Lambda::Permission').filter(({ properties }) =>
    JSON.stringify(properties['FunctionName']).includes(`"${logicalId}"`),
  );
  // Without a policy, Lambda returns this error too.
  const found = await client.send(new GetPolicyCommand({ FunctionName })).catch(deletedByHand);
  return policyFaults({
    what: `the function ${FunctionName}`,
    wanted: own.map(({ properties }) => statementOf(resolve(properties) as Readonly<Record<string, string>>)),
    found: statementsOf(found?.Policy),
    fix: revertDriftOf(deployed.stack),
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
