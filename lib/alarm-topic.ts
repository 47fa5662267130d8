import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { noGrants } from './key-policy.ts';

/** A topic to which only the alarms of the account publish; `docs/settings.md` shows its policies. */
export function createAlarmTopic(scope: Construct): Topic {
  const { account, stackName } = Stack.of(scope);
  const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': account } },
  });
  // Alarms cannot publish with the key that AWS manages for SNS, so the topic has its own.
  const key = new Key(scope, 'Key', {
    description: `Alarm messages of ${stackName}`,
    enableKeyRotation: true,
    // Never retained: it only encrypts messages in flight, and an orphan would cost a dollar a month.
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [cloudWatch],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
    }),
  );
  key.addToResourcePolicy(noGrants());
  const topic = new Topic(scope, 'Topic', { masterKey: key, enforceSSL: true });
  // A topic policy replaces the default one, which lets the account's own alarms publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [cloudWatch],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
    }),
  );
  return topic;
}
