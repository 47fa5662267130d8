import { Annotations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { CfnFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';

/** What Lambda does with the role of a function to connect it to subnets. */
const connecting = [
  'AssignPrivateIpAddresses',
  'CreateNetworkInterface',
  'DeleteNetworkInterface',
  'DescribeNetworkInterfaces',
  'DescribeSubnets',
  'UnassignPrivateIpAddresses',
].map((action) => `ec2:${action}`);

/** Puts a function into the subnets of the settings, if there are any. */
export function connect(lambda: LambdaFunction, role: Role, settings: Configuration): void {
  const { functionSubnetIds: subnetIds, functionSecurityGroupIds: securityGroupIds } = settings;
  if (subnetIds === undefined || securityGroupIds === undefined) return;
  role.addToPolicy(
    new PolicyStatement({
      actions: connecting,
      resources: ['*'],
      // Lambda itself, not the code of the function: its requests have this key.
      conditions: { Null: { 'lambda:SourceFunctionArn': 'true' } },
    }),
  );
  // CDK's own property needs the VPC, which only a lookup in the account could find.
  const { defaultChild } = lambda.node;
  if (!(defaultChild instanceof CfnFunction)) throw new Error('The function has no CfnFunction.');
  defaultChild.vpcConfig = { subnetIds, securityGroupIds };
}

/**
 * Shows at synth what the subnets must reach: a template cannot look into a VPC, and a function without a
 * route fails only when it is called.
 */
export function describeRoutes(scope: Construct, settings: Configuration): void {
  const { functionSubnetIds, paymentServiceBaseUrl } = settings;
  if (functionSubnetIds === undefined) return;
  const onInternet = [
    'IAM',
    'the address of the webhook',
    ...(paymentServiceBaseUrl ? [paymentServiceBaseUrl] : []),
  ];
  Annotations.of(scope).addInfo(
    'The functions run in functionSubnetIds. These subnets must reach DynamoDB, EventBridge, Secrets ' +
      'Manager and SQS, by VPC endpoints or a NAT gateway, and by a NAT gateway or a proxy ' +
      `${onInternet.join(', ')}. docs/settings.md#a-vpc lists what each function calls; ` +
      '`payhooks smoke` shows what is missing.',
  );
}
