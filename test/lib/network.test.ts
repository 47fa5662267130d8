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
