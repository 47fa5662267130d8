import { describe, expect, it } from 'vitest';
import { readPolicies } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

describe('functionSubnetIds and functionSecurityGroupIds', () => {
  const inVpc = synthesise(variants['vpc']);

  it('put every function into these subnets', () => {
    const VpcConfig = {
      SubnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'],
      SecurityGroupIds: ['sg-0a1b2c3d'],
    };
    const functions = inVpc.propertiesOf('AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThan(5);
    for (const properties of functions) expect(properties).toMatchObject({ VpcConfig });
  });

  it('let Lambda connect the functions, and not their code, which has a function ARN in its requests', () => {
    const { roles } = readPolicies(inVpc);
    const ofFunctions = [...roles].filter(([place]) => place.endsWith('/Function/Role'));
    for (const [, { policies }] of ofFunctions)
      expect(policies.flatMap(({ Statement }) => Statement)).toContainEqual({
        Effect: 'Allow',
        Action: expect.arrayContaining(['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface']),
        Resource: '*',
        Condition: { Null: { 'lambda:SourceFunctionArn': 'true' } },
      });
    const connected = [...roles].filter(([, { policies }]) => JSON.stringify(policies).includes('ec2:'));
    expect(connected).toEqual(ofFunctions);
  });
});

describe.each(['OrderQuery', 'Operations'])('with privateEndpointIds, the API %s', (stage) => {
  const stack = synthesise(variants['private']);
  const api = stack.at(`${stage}/Endpoint/Api`).Properties;

  it('is private, and refuses what did not come through these VPC endpoints', () => {
    expect(api).toMatchObject({
      EndpointConfiguration: { Types: ['PRIVATE'], VpcEndpointIds: ['vpce-0a1b2c3d'] },
      Policy: {
        Statement: [
          {
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 'execute-api:Invoke',
            Condition: { StringNotEquals: { 'aws:SourceVpce': ['vpce-0a1b2c3d'] } },
          },
        ],
      },
    });
  });

  it('logs who called which path, for as long as the public one', () => {
    const { AccessLogSetting, MethodSettings } = stack
      .propertiesOf('AWS::ApiGateway::Stage')
      .find(({ RestApiId }) => stack.pathOf(RestApiId).startsWith(stage)) as {
      AccessLogSetting: { Format: string };
      MethodSettings: unknown;
    };
    expect(AccessLogSetting.Format).toContain('$context.identity.userArn');
    expect(MethodSettings).toMatchObject([{ ThrottlingRateLimit: expect.any(Number) }]);
    expect(stack.at(`${stage}/Endpoint/AccessLogs`).Properties).toMatchObject({ RetentionInDays: 365 });
  });
});

it('with privateEndpointIds, only the webhook is an HTTP API, and the outputs name the VPC endpoint', () => {
  const { ofType, outputs, pathOf, at, variablesOf } = synthesise(variants['private']);
  expect(ofType('AWS::ApiGateway::Method').length).toBeGreaterThanOrEqual(17);
  expect(ofType('AWS::ApiGatewayV2::Api').map(([id]) => pathOf(id))).toEqual(['Verifier/Endpoint/Api']);
  for (const output of ['OrderQueryUrl', 'OperationsUrl'])
    expect(JSON.stringify(outputs[output]?.Value)).toMatch(/-vpce-0a1b2c3d\.execute-api\..*\/v1"/);
  const stage = at('Operations/Endpoint/Api/DeploymentStage.v1').Properties;
  expect(JSON.stringify(stage['Variables'])).toContain('resolve:secretsmanager');
  expect(JSON.stringify(variablesOf('Operations')['OWN_API'])).toContain('/v1');
});
