import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { deploymentNameOf } from './deployment-name.ts';
import { noGrants } from './key-policy.ts';

/**
 * A topic to which only the alarms of the account publish; `docs/settings.md` has its policies. SNS encrypts
 * the disks of every topic, and these messages are mailed in plain text; a key costs a dollar a month.
 */
export function createAlarmTopic(scope: Construct, { hasKey }: { readonly hasKey: boolean }): Topic {
  const key = hasKey ? createKey(scope) : undefined;
  const topic = new Topic(scope, 'Topic', { enforceSSL: true, ...(key && { masterKey: key }) });
  letAlarmsPublish(scope, topic);
  key?.addToResourcePolicy(noGrants());
  return topic;
}

/**
 * A topic policy, such as that of `enforceSSL`, replaces the default one, which lets the account's own alarms
 * publish; and no key lets them. Both fail in silence. An imported topic keeps the policies that it has.
 */
export function letAlarmsPublish(scope: Construct, topic: ITopic): void {
  const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  });
  const allow = (actions: string[], resource: string) =>
    new PolicyStatement({ principals: [cloudWatch], actions, resources: [resource] });
  topic.addToResourcePolicy(allow(['sns:Publish'], topic.topicArn));
  topic.masterKey?.addToResourcePolicy(allow(['kms:Decrypt', 'kms:GenerateDataKey*'], '*'));
}

/** Of the topic alone: alarms cannot publish with the key that AWS manages for SNS. */
const createKey = (scope: Construct): Key =>
  new Key(scope, 'Key', {
    description: `Alarm messages of ${deploymentNameOf(scope)}`,
    enableKeyRotation: true,
    // Never retained: it only encrypts messages in flight, and an orphan would cost a dollar a month.
    removalPolicy: RemovalPolicy.DESTROY,
  });
