import { describe, expect, it } from 'vitest';
import { inspect } from '../../../operator/safeguards/inspect.ts';
import { AwsError } from '../../doubles/aws-query.ts';
import { type InspectedState, startInspectedStack } from '../../doubles/inspected-stack.ts';

const queues = 'arn:aws:sqs:us-east-1:000000000000:';

/** What was changed by hand, and what the comparison with the template shows about it. */
const changes: readonly (readonly [string, (state: InspectedState) => void])[] = [
  ['the queue shop-queue was deleted', (state) => Object.assign(state, { queue: undefined })],
  ['the queue shop-dead-letters was deleted', (state) => Object.assign(state, { deadLetters: undefined })],
  ...[
    { redrivePermission: 'allowAll' },
    { redrivePermission: 'byQueue', sourceQueueArns: [`${queues}other`] },
    { redrivePermission: 'byQueue', sourceQueueArns: [`${queues}shop-queue`, `${queues}other`] },
  ].map(
    (deadLetters) =>
      [
        'other queues may move messages to the dead-letter queue',
        (state: InspectedState) => Object.assign(state, { deadLetters }),
      ] as const,
  ),
  [
    'the queue shop-queue has another RedrivePolicy: none, not deadLetterTargetArn ' +
      'arn:aws:sqs:us-east-1:000000000000:shop-dead-letters, maxReceiveCount 40',
    ({ queue }) => delete queue?.RedrivePolicy,
  ],
  [
    'the queue shop-queue has another MessageRetentionPeriod: 60, not 1209600',
    ({ queue }) => Object.assign(queue ?? {}, { MessageRetentionPeriod: '60' }),
  ],
  [
    'the policy of the queue shop-queue lacks a statement, or has it in another form: OnlyVerifierSends',
    ({ queue }) => queue?.Policy.splice(0),
  ],
  [
    'the policy of the queue shop-queue has a statement that was not deployed: Allow sqs:*',
    ({ queue }) => queue?.Policy.push({ Effect: 'Allow', Principal: '*', Action: 'sqs:*', Resource: '*' }),
  ],
  [
    'the policy of the table shop-orders lacks a statement, or has it in another form: OnlyStagesWrite',
    ({ table }) => table.splice(0),
  ],
  [`the bus payhooks-shop was deleted`, (state) => Object.assign(state, { bus: undefined })],
  [
    'the policy of the bus payhooks-shop lacks a statement, or has it in another form: OurType',
    ({ bus }) => bus?.shift(),
  ],
  ['the archive payhooks-shop was deleted', (state) => Object.assign(state, { archive: undefined })],
  [
    'the archive payhooks-shop keeps events for 1 days, not 30',
    ({ archive }) => Object.assign(archive ?? {}, { RetentionDays: 1 }),
  ],
  [
    'the policy of the role shop-role (who may assume it) has a statement that was not deployed: Allow sts:AssumeRole',
    ({ role }) => Object.assign(role, { service: 'ec2.amazonaws.com' }),
  ],
  [
    'the role shop-role has a policy that was not deployed: arn:aws:iam::aws:policy/AdministratorAccess',
    ({ role }) => role.attached.push('arn:aws:iam::aws:policy/AdministratorAccess'),
  ],
  [
    'the policy of the role shop-role has a statement that was not deployed: Allow *',
    ({ inline }) => inline.push({ Effect: 'Allow', Action: '*', Resource: ['*'] }),
  ],
  [
    'the function shop-query runs under arn:aws:iam::000000000000:role/other',
    ({ query }) => Object.assign(query, { Role: 'arn:aws:iam::000000000000:role/other' }),
  ],
  [
    'the function shop-query was changed at 2026-11-24T02:10:00.000Z, after its deployment',
    ({ query }) => Object.assign(query, { LastModified: '2026-11-24T02:10:00.000+0000' }),
  ],
  [
    'the policy of the function shop-query has a statement that was not deployed: mallory',
    ({ permissions }) =>
      permissions.push({
        ...{ Sid: 'mallory', Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::999999999999:root' } },
        ...{
          Action: 'lambda:InvokeFunction',
          Resource: 'arn:aws:lambda:us-east-1:000000000000:function:shop-query',
        },
      }),
  ],
  [
    'the API abc123 (QueryStage) or its stage was deleted',
    (state) => Object.assign(state, { stage: undefined }),
  ],
  [
    'the API abc123 (QueryStage) has no access log, or another one',
    ({ stage }) => delete stage?.accessLogSettings,
  ],
  [
    'the route GET /orders of the API abc123 (QueryStage) has the authorisation NONE',
    (state) => Object.assign(state, { authorization: 'NONE' }),
  ],
];

describe('a stack that is compared with what was deployed', () => {
  it('has no fault where AWS returns the same in another form, or others share its bus', async () => {
    const { deployed } = await startInspectedStack();
    expect(await inspect(deployed)).toEqual([]);
  });

  it.each(changes)('shows that %s', async (message, change) => {
    const { state, deployed } = await startInspectedStack();
    change(state);
    const faults = await inspect(deployed);
    expect(faults).toContainEqual(expect.objectContaining({ message, fix: expect.stringMatching(/\S/) }));
  });

  it('shows what was changed although something else may not be read, and is unknown otherwise', async () => {
    const { state, deployed } = await startInspectedStack();
    const get = () => {
      throw new AwsError('AccessDenied', 'You lack iam:GetRole.');
    };
    Object.defineProperty(state, 'role', { get });
    await expect(inspect(deployed)).rejects.toThrow('iam:GetRole');
    state.bus = undefined;
    expect(await inspect(deployed)).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/bus/) }),
    ]);
  });

  it('names the command that takes away who may invoke a function', async () => {
    const { state, deployed } = await startInspectedStack();
    state.permissions.push({
      Sid: 'url',
      Effect: 'Allow',
      Principal: '*',
      Action: 'lambda:InvokeFunctionUrl',
    });
    expect(await inspect(deployed)).toEqual([
      {
        message: 'the policy of the function shop-query has a statement that was not deployed: url',
        fix: 'aws lambda remove-permission --function-name shop-query --statement-id url',
      },
    ]);
  });
});
