import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';

/** The outputs that other stacks need: those of order systems and of the platform. None is a secret. */
const publishedOutputs = [
  'WebhookUrl',
  'OrderQueryUrl',
  'OrderQueryInvokeArn',
  'OrderFeedBusName',
  'OrderFeedBusArn',
  'OperationsUrl',
  'OperationsInvokeArn',
  'AlarmTopicArn',
  'TicketTopicArn',
];

/**
 * Puts these outputs into parameters `/<stack>/<output>` as well. Another stack of the account can resolve
 * those when it is deployed, and payhooks can be deployed and deleted without it, unlike with an export.
 */
export function publishOutputs(stack: Stack): void {
  const parameters = new Construct(stack, 'Parameters');
  for (const name of publishedOutputs) {
    const output = stack.node.tryFindChild(name);
    // The settings decide whether there is one.
    if (!(output instanceof CfnOutput)) continue;
    new StringParameter(parameters, name, {
      parameterName: `/${stack.stackName}/${name}`,
      stringValue: output.value,
      ...(output.description !== undefined && { description: output.description }),
    });
  }
}
