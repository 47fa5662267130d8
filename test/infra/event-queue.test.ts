import { beforeAll, describe, expect, it } from 'vitest';
import { type Resource, referenced, type Synthesis, synthesiseAll } from './synthesis.ts';

const operatorRoleArn = 'arn:aws:iam::123456789012:role/operator';
const fourHoursInSeconds = 14_400;
const dayInSeconds = 86_400;

interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Condition: { readonly ArnNotLike?: { readonly 'aws:PrincipalArn': readonly unknown[] } };
}

let stack: Synthesis;
let withOperator: Synthesis;
beforeAll(() => {
  [stack, withOperator] = synthesiseAll({}, { environmentName: 'operated', operatorRoleArn });
});

const queueAt = (path: string): [string, Resource] => {
  const found = stack.ofType('AWS::SQS::Queue').find(([id]) => stack.pathOf(id) === path);
  if (found === undefined) throw new Error(`no queue at ${path}`);
  return found;
};

function policyOf(synthesis: Synthesis, path: string): readonly Statement[] {
  const policies = synthesis
    .ofType('AWS::SQS::QueuePolicy')
    .filter(
      ([, { Properties }]) => synthesis.pathOf(referenced((Properties['Queues'] as unknown[])[0])) === path,
    );
  expect(policies).toHaveLength(1);
  return policies.flatMap(
    ([, { Properties }]) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement,
  );
}

/** Who is excepted from the statement that refuses an action. */
function exceptedFrom(synthesis: Synthesis, sid: string): string[] {
  const statement = policyOf(synthesis, 'EventQueue/Queue').find(({ Sid }) => Sid === sid);
  expect(statement?.Effect).toBe('Deny');
  const arns = statement?.Condition.ArnNotLike?.['aws:PrincipalArn'] ?? [];
  return arns.map((arn) => (typeof arn === 'string' ? arn : synthesis.pathOf(referenced(arn))));
}

describe('the event queue', () => {
  it('moves what fails to the dead-letter queue', () => {
    const [deadLetterId] = queueAt('EventQueue/DeadLetters');
    const { deadLetterTargetArn } = queueAt('EventQueue/Queue')[1].Properties['RedrivePolicy'] as {
      deadLetterTargetArn: unknown;
    };
    expect(deadLetterTargetArn).toEqual({ 'Fn::GetAtt': [deadLetterId, 'Arn'] });
  });

  it('tries for at least four hours before it gives up', () => {
    const { VisibilityTimeout, RedrivePolicy } = queueAt('EventQueue/Queue')[1].Properties as {
      VisibilityTimeout: number;
      RedrivePolicy: { maxReceiveCount: number };
    };
    expect(VisibilityTimeout * RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(fourHoursInSeconds);
  });

  it('hides a message for at least six times the timeout of the consumer', () => {
    const consumer = stack
      .ofType('AWS::Lambda::Function')
      .find(([id]) => stack.pathOf(id).startsWith('Consumer/'));
    const timeout = consumer?.[1].Properties['Timeout'] as number;
    expect(timeout).toBeGreaterThan(0);
    expect(queueAt('EventQueue/Queue')[1].Properties['VisibilityTimeout']).toBeGreaterThanOrEqual(
      6 * timeout,
    );
  });

  it('keeps events for four days and dead letters for fourteen', () => {
    expect(queueAt('EventQueue/Queue')[1].Properties['MessageRetentionPeriod']).toBe(4 * dayInSeconds);
    expect(queueAt('EventQueue/DeadLetters')[1].Properties['MessageRetentionPeriod']).toBe(14 * dayInSeconds);
  });

  it('is standard, so that one order cannot hold up another', () => {
    for (const [, { Properties }] of stack.ofType('AWS::SQS::Queue')) {
      expect(Properties).not.toHaveProperty('FifoQueue');
    }
  });

  it.each(['EventQueue/Queue', 'EventQueue/DeadLetters'])(
    'encrypts %s and refuses it without TLS',
    (path) => {
      expect(queueAt(path)[1].Properties['SqsManagedSseEnabled']).toBe(true);
      expect(policyOf(stack, path)).toContainEqual(
        expect.objectContaining({
          Effect: 'Deny',
          Action: 'sqs:*',
          Principal: { AWS: '*' },
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      );
    },
  );

  it('lets nobody but the consumer receive, delete or purge', () => {
    expect(exceptedFrom(stack, 'OnlyConsumerReceives')).toEqual(['Consumer/Function/Role']);
    const statement = policyOf(stack, 'EventQueue/Queue').find(({ Sid }) => Sid === 'OnlyConsumerReceives');
    expect(statement?.Action).toEqual(
      expect.arrayContaining(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:PurgeQueue']),
    );
  });

  it('lets nobody but the verifier and the operator send, once it knows the operator', () => {
    expect(exceptedFrom(withOperator, 'OnlyVerifierSends')).toEqual([
      'Verifier/Function/Role',
      operatorRoleArn,
    ]);
  });

  it('refuses nobody to send while it does not know the operator, who would be unable to redrive', () => {
    const refusals = policyOf(stack, 'EventQueue/Queue').filter(({ Action }) =>
      [Action].flat().includes('sqs:SendMessage'),
    );
    expect(refusals).toEqual([]);
  });

  it('allows nobody by its policy: the identity policies do', () => {
    for (const path of ['EventQueue/Queue', 'EventQueue/DeadLetters']) {
      expect(policyOf(withOperator, path).map(({ Effect }) => Effect)).not.toContain('Allow');
    }
  });
});

describe('the event source mapping', () => {
  const mappingOf = () => stack.at('Consumer/Mapping').Properties;

  it('reports failures one by one, in batches of ten, without a window or a filter', () => {
    const mapping = mappingOf();
    expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'], BatchSize: 10 });
    expect(mapping).not.toHaveProperty('MaximumBatchingWindowInSeconds');
    expect(mapping).not.toHaveProperty('FilterCriteria');
  });

  it('takes from the event queue and gives to the consumer', () => {
    const mapping = mappingOf();
    expect(stack.pathOf(referenced(mapping['EventSourceArn']))).toBe('EventQueue/Queue');
    expect(stack.pathOf(referenced(mapping['FunctionName']))).toBe('Consumer/Function/Lambda');
  });

  it('bounds the consumers itself, and never by reserved concurrency', () => {
    expect(mappingOf()['ScalingConfig']).toEqual({
      MaximumConcurrency: 50,
    });
    for (const [, { Properties }] of stack.ofType('AWS::Lambda::Function')) {
      expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });
});
