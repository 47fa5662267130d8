import type { EventBus } from 'aws-cdk-lib/aws-events';
import { AnyPrincipal, Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { feedDetailType, feedSources } from '../lambdas/order-feed/order-status-changed.ts';
import { deploymentNameOf } from './deployment-name.ts';

/**
 * Order systems trust what has our source or our type, so the bus denies both to everyone but the feed. Any
 * other event, and every rule, is left to the account's identity policies. EventBridge itself is denied
 * nothing, so that archived events can be replayed. One statement per key: within one, all must match.
 */
export function guardBus(bus: EventBus, { roleArn }: IRole): void {
  const deny = (sid: string, ours: Readonly<Record<string, string>>): void => {
    bus.addToResourcePolicy(
      new PolicyStatement({
        sid,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['events:PutEvents'],
        resources: [bus.eventBusArn],
        conditions: {
          // A request has several entries: one of ours among others is enough.
          'ForAnyValue:StringLike': ours,
          ArnNotLike: { 'aws:PrincipalArn': roleArn },
          BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
        },
      }),
    );
  };
  // For CloudFormation the id of a statement is a name that no other deployment of the region may use.
  const name = deploymentNameOf(bus);
  deny(`OurSources-${name}`, { 'events:source': `${feedSources.live}*` });
  deny(`OurType-${name}`, { 'events:detail-type': feedDetailType });
}
