import { Duration, Stack } from 'aws-cdk-lib';
import { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { safeguardsOffAlarmHours } from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import { selfCheckIntervalMinutes, selfCheckTimeoutSeconds } from '../lambdas/contract/limits.ts';
import { deploymentAddressOf, deploymentNameOf } from './deployment-name.ts';
import { noSuccess } from './metric-math.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import type { OrderFeed } from './order-feed.ts';
import { addSchedule } from './stage-schedule.ts';
import { generatedNamesOf } from './table-guard.ts';
import type { Tables } from './tables.ts';

export interface SelfCheckProps extends StageProps {
  readonly tables: Tables;
  readonly orderFeed: OrderFeed;
}

/**
 * Compares the stack every hour with what was deployed, as `payhooks status` does. CloudFormation's own
 * drift detection sees neither the code of functions nor statements that were added to their policies.
 */
export class SelfCheck extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: SelfCheckProps) {
    super(scope, id);
    const { configuration, encryption, alarms } = props;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'self-check',
      description: 'Compares the stack with what was deployed.',
      timeoutSeconds: selfCheckTimeoutSeconds,
      environment: { [variables.stackName]: deploymentAddressOf(this) },
      configuration,
      encryption,
    });
    this.#grantDescribe(scope, props);
    addSchedule(this, {
      target: this.function,
      intervalMinutes: selfCheckIntervalMinutes,
      description: `Compares ${deploymentNameOf(this)} with what was deployed.`,
    });
    // No passing fault fires it, and the first check after a repair ends it.
    alarms.add('SafeguardsOff', {
      meaning:
        `For ${safeguardsOffAlarmHours} hours the stack has not been as it was deployed (a policy, a role, ` +
        'a log group or another safeguard was changed by hand), or nothing has compared it.',
      metric: noSuccess(this.function, Duration.hours(safeguardsOffAlarmHours)),
      firesWithoutData: true,
    });
  }

  /** Nothing that holds data: settings and policies, by the names that CloudFormation generates. */
  #grantDescribe(deployment: Construct, { tables, orderFeed }: SelfCheckProps): void {
    const { partition, region, account, stackName } = Stack.of(this);
    const names = generatedNamesOf(deployment);
    const arn = (service: string, resource: string): string =>
      `arn:${partition}:${service}:${region}:${account}:${resource}`;
    const grant = (actions: string, ...resourceArns: string[]): void => {
      const [service = '', ...verbs] = actions.split(' ');
      const grantee = this.function;
      Grant.addToPrincipal({ grantee, actions: verbs.map((verb) => `${service}:${verb}`), resourceArns });
    };
    grant(
      'cloudformation DescribeStacks GetTemplate ListStackResources',
      arn('cloudformation', `stack/${stackName}/*`),
    );
    grant('lambda GetFunctionConfiguration GetPolicy', arn('lambda', `function:${names}`));
    // Its name is a random id.
    grant('lambda GetEventSourceMapping', arn('lambda', 'event-source-mapping:*'));
    grant(
      'dynamodb DescribeTable DescribeContinuousBackups DescribeTimeToLive GetResourcePolicy',
      ...[tables.events.tableArn, tables.orders.tableArn],
    );
    // These two list whole accounts.
    grant('logs DescribeLogGroups', arn('logs', 'log-group:*'));
    grant('cloudwatch DescribeAlarms', '*');
    grant('logs DescribeMetricFilters', arn('logs', `log-group:${names}`));
    grant('scheduler GetSchedule', arn('scheduler', `schedule/default/${names}`));
    grant('sqs GetQueueAttributes', arn('sqs', names));
    grant('events DescribeEventBus', orderFeed.bus.eventBusArn);
    grant('events DescribeArchive', orderFeed.archive.archiveArn);
    grant(
      'iam GetRole GetRolePolicy ListRolePolicies ListAttachedRolePolicies',
      `arn:${partition}:iam::${account}:role/${names}`,
    );
    const apis = deployment.node.findAll().filter((one) => one instanceof CfnApi);
    const apiOf = ({ ref }: CfnApi): string => `arn:${partition}:apigateway:${region}::/apis/${ref}/*`;
    grant('apigateway GET', ...apis.map(apiOf));
  }
}
