import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { sqsOptions } from '../aws/client-options.ts';
import { referringTo } from '../aws/deployed-resources.ts';
import { outputOf, revertDriftOf, type Stack } from '../stack/stack.ts';
import { policyFaults, statementsOf } from './policy.ts';
import { type Fault, safeguard } from './safeguard.ts';

const settings = ['MessageRetentionPeriod', 'VisibilityTimeout', 'RedrivePolicy'] as const;

/** Where acknowledged events wait, and the only place of those that could not be recorded. */
export const queues = safeguard({
  type: 'AWS::SQS::Queue',
  noun: 'queue',
  open: (stack) => new SQSClient(sqsOptions(stack)),
  titleOf: ({ physicalId }) => `queue ${nameOf(physicalId)}`,
  describe: ({ client, id: QueueUrl }) =>
    client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })),
  absent: 'QueueDoesNotExist',
  compare({ Attributes = {} }, { deployed, resource, what, id, resolve }) {
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
      ...(id === outputOf(deployed.stack, 'DeadLetterQueueUrl')
        ? sourceFaults(deployed.stack, Attributes['RedriveAllowPolicy'])
        : []),
    ];
  },
});

const nameOf = (place: string): string | undefined => place.split(/[/:]/).at(-1);

const sourceSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ redrivePermission: v.literal('byQueue'), sourceQueueArns: v.strictTuple([v.string()]) }),
);

/**
 * Only the event queue moves messages to the dead-letter queue. A schedule sets this, and no alarm reports a
 * schedule that fails.
 */
function sourceFaults(stack: Stack, policy: string | undefined): readonly Fault[] {
  const found = v.safeParse(sourceSchema, policy);
  const own = nameOf(outputOf(stack, 'EventQueueUrl'));
  if (found.success && nameOf(found.output.sourceQueueArns[0]) === own) return [];
  const message = 'other queues may move messages to the dead-letter queue';
  const fix =
    'a schedule of the stack corrects it within an hour; after a first deployment, within a minute. ' +
    `If it stays: ${revertDriftOf(stack)}`;
  return [{ message, fix }];
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
