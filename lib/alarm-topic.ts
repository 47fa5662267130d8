import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { deploymentNameOf } from './deployment-name.ts';
import { noGrants } from './key-policy.ts';

/**
 * A topic to which only the alarms of the account publish; `docs/settings.md` has its policies. SNS encrypts
 * the disks of every topic, and these messages are mailed in plain text; a key costs a dollar a month.
 */
export function createAlarmTopic(scope: Construct, { hasKey }: { readonly hasKey: boolean }): Topic {
  const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  });
  const topic = new Topic(scope, 'Topic', {
    enforceSSL: true,
    ...(hasKey && { masterKey: createKey(scope, cloudWatch) }),
  });
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

/** Of the topic alone: alarms cannot publish with the key that AWS manages for SNS. */
function createKey(scope: Construct, cloudWatch: ServicePrincipal): Key {
  const key = new Key(scope, 'Key', {
    description: `Alarm messages of ${deploymentNameOf(scope)}`,
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
  return key;
}
