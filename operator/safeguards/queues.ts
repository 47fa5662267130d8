import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { sqsOptions } from '../aws/client-options.ts';
import { type Deployed, type DeployedResource, ofType, resolverOf } from '../aws/deployed-resources.ts';
import { absentAt } from '../aws/errors.ts';
import { counted } from '../check-result.ts';
import { revertDriftOf } from '../stack/stack.ts';
import { policyFaults, statementsOf } from './policy.ts';
import type { Fault, Safeguard } from './safeguard.ts';

/** Where acknowledged events wait, and the only place of those that could not be recorded. */
export const queues: Safeguard = {
  name: 'queues',
  async inspect(deployed) {
    const client = new SQSClient(sqsOptions(deployed.stack));
    const all = ofType(deployed, 'AWS::SQS::Queue');
    const faults = await Promise.all(all.map((queue) => faultsOf(client, deployed, queue)));
    return {
      holds: `${counted(all.length, 'queue')}: there, with policy, retention and dead-letter queue`,
      faults: faults.flat(),
    };
  },
};

async function faultsOf(client: SQSClient, deployed: Deployed, queue: DeployedResource): Promise<Fault[]> {
  const { physicalId: QueueUrl, logicalId, properties } = queue;
  const what = `the queue ${QueueUrl.split('/').at(-1)}`;
  const fix = revertDriftOf(deployed.stack);
  const request = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
  const found = await client.send(request).catch(absentAt('QueueDoesNotExist'));
  if (found === undefined) return [{ message: `${what} was deleted`, fix }];
  const { Attributes = {} } = found;
  const resolve = resolverOf(deployed);
  const policies = ofType(deployed, 'AWS::SQS::QueuePolicy').filter((policy) =>
    JSON.stringify(policy.properties['Queues']).includes(`"${logicalId}"`),
  );
  const settings = ['MessageRetentionPeriod', 'VisibilityTimeout', 'RedrivePolicy'] as const;
  return [
    ...settings
      .filter((name) => properties[name] !== undefined)
      .map((name) => ({ name, wanted: textOf(resolve(properties[name])), found: textOf(Attributes[name]) }))
      .filter((setting) => setting.wanted !== setting.found)
      .map((setting) => ({
        message: `${what} has another ${setting.name}: ${setting.found}, not ${setting.wanted}`,
        fix,
      })),
    ...policyFaults({
      ...{ what, fix },
      wanted: policies.flatMap((policy) => statementsOf(resolve(policy.properties['PolicyDocument']))),
      found: statementsOf(Attributes['Policy']),
    }),
  ];
}

/** The same for a value and its JSON, whatever the order of its fields. */
function textOf(value: unknown): string {
  const parsed: unknown = typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
  if (typeof parsed !== 'object' || parsed === null) return `${parsed ?? 'none'}`;
  return Object.entries(parsed)
    .map(([key, item]) => `${key} ${item}`)
    .toSorted()
    .join(', ');
}
