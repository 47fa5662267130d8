import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { sqsOptions } from '../aws/client-options.ts';
import { absentAt } from '../aws/errors.ts';
import { outputOf, revertDriftOf } from '../stack/stack.ts';
import type { Safeguard } from './safeguard.ts';

const policySchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ redrivePermission: v.literal('byQueue'), sourceQueueArns: v.strictTuple([v.string()]) }),
);

/**
 * Only the event queue moves messages to the dead-letter queue. A schedule sets this, and no alarm reports a
 * schedule that fails.
 */
export const deadLetterSource: Safeguard = {
  name: 'dead-letter source',
  async inspect({ stack }) {
    const holds = 'only the event queue moves messages to the dead-letter queue';
    const request = new GetQueueAttributesCommand({
      QueueUrl: outputOf(stack, 'DeadLetterQueueUrl'),
      AttributeNames: ['RedriveAllowPolicy'],
    });
    const found = await new SQSClient(sqsOptions(stack)).send(request).catch(absentAt('QueueDoesNotExist'));
    // The check of the queues reports a deleted one.
    if (found === undefined) return { holds, faults: [] };
    const policy = v.safeParse(policySchema, found.Attributes?.['RedriveAllowPolicy']);
    const own = outputOf(stack, 'EventQueueUrl').split('/').at(-1);
    if (policy.success && policy.output.sourceQueueArns[0].split(':').at(-1) === own) {
      return { holds, faults: [] };
    }
    const message = 'other queues may move messages to the dead-letter queue';
    const fix =
      'a schedule of the stack corrects it within an hour; after a first deployment, within a minute. ' +
      `If it stays: ${revertDriftOf(stack)}`;
    return { holds, faults: [{ message, fix }] };
  },
};
