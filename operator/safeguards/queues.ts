import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { sqsOptions } from '../aws/client-options.ts';
import { referringTo } from '../aws/deployed-resources.ts';
import { policyFaults, statementsOf } from './policy.ts';
import { safeguard } from './safeguard.ts';

const settings = ['MessageRetentionPeriod', 'VisibilityTimeout', 'RedrivePolicy'] as const;

/** Where acknowledged events wait, and the only place of those that could not be recorded. */
export const queues = safeguard({
  name: 'queues',
  type: 'AWS::SQS::Queue',
  noun: 'queue',
  holds: 'there, with policy, retention and dead-letter queue',
  open: (stack) => new SQSClient(sqsOptions(stack)),
  titleOf: ({ physicalId }) => `queue ${physicalId.split('/').at(-1)}`,
  describe: ({ client, id: QueueUrl }) =>
    client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })),
  absent: 'QueueDoesNotExist',
  compare({ Attributes = {} }, { deployed, resource, what, resolve }) {
    const { properties } = resource;
    const policies = referringTo(deployed, resource, ['AWS::SQS::QueuePolicy', 'Queues']);
    return [
      ...settings
        .filter((name) => properties[name] !== undefined)
        .map((name) => ({ name, wanted: textOf(resolve(properties[name])), found: textOf(Attributes[name]) }))
        .filter(({ wanted, found }) => wanted !== found)
        .map(({ name, wanted, found }) => ({
          message: `${what} has another ${name}: ${found}, not ${wanted}`,
        })),
      ...policyFaults({
        what,
        wanted: policies.flatMap((policy) => statementsOf(resolve(policy.properties['PolicyDocument']))),
        found: statementsOf(Attributes['Policy']),
      }),
    ];
  },
});

/** The same for a value and its JSON, whatever the order of its fields. */
function textOf(value: unknown): string {
  const parsed: unknown = typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value;
  if (typeof parsed !== 'object' || parsed === null) return `${parsed ?? 'none'}`;
  return Object.entries(parsed)
    .map(([key, item]) => `${key} ${item}`)
    .toSorted()
    .join(', ');
}
