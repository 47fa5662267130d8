import { describe, expect, it } from 'vitest';
import { type Changes, readSample as read, sampleTemplate } from './sample-template.ts';

const variable = (value: unknown): Changes => ({
  Worker: {
    Type: 'AWS::Lambda::Function',
    Properties: { Handler: 'index.handler', Environment: { Variables: { VALUE: value } } },
    Metadata: { 'aws:asset:path': 'asset.1' },
  },
});
const resolved = (value: unknown): string | undefined =>
  read(variable(value)).functions[0]?.environment['VALUE'];

describe('the template model', () => {
  it('has queues with their settings and dead letters', () => {
    expect(read().queues).toEqual([
      {
        name: 'DeadLetters',
        url: 'http://127.0.0.1:1111/000000000000/DeadLetters',
        arn: 'arn:aws:sqs:us-east-1:000000000000:DeadLetters',
        attributes: { MessageRetentionPeriod: '1209600' },
      },
      {
        name: 'Events',
        url: 'http://127.0.0.1:1111/000000000000/Events',
        arn: 'arn:aws:sqs:us-east-1:000000000000:Events',
        attributes: {
          VisibilityTimeout: '180',
          RedrivePolicy:
            '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:DeadLetters","maxReceiveCount":80}',
        },
        deadLetterArn: 'arn:aws:sqs:us-east-1:000000000000:DeadLetters',
      },
    ]);
  });

  it('has functions with their bundle, bounds and resolved environment', () => {
    expect(read().functions).toEqual([
      {
        name: 'Worker',
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:Worker',
        codeDirectory: '/out/asset.1',
        handler: 'index.handler',
        timeoutSeconds: 7,
        memoryMegabytes: 128,
        environment: { QUEUE_URL: 'http://127.0.0.1:1111/000000000000/Events', TABLE: 'Orders' },
      },
    ]);
  });

  it('has mappings with batch, window, partial responses and concurrency', () => {
    expect(read().mappings).toEqual([
      {
        name: 'Mapping',
        queueArn: 'arn:aws:sqs:us-east-1:000000000000:Events',
        functionName: 'Worker',
        batchRecordsMax: 5,
        windowSeconds: 2,
        reportsItemFailures: true,
        concurrencyMax: 4,
      },
    ]);
  });

  it('takes what CloudFormation takes for a mapping that sets nothing', () => {
    const mapping = {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: 'arn:of:a:queue', FunctionName: { 'Fn::GetAtt': ['Worker', 'Arn'] } },
    };
    expect(read({ Mapping: mapping }).mappings[0]).toEqual({
      name: 'Mapping',
      queueArn: 'arn:of:a:queue',
      functionName: 'Worker',
      batchRecordsMax: 10,
      windowSeconds: 0,
      reportsItemFailures: false,
    });
  });

  it('has routes that lead through their integration to a function', () => {
    expect(read().routes).toEqual([
      {
        key: 'GET /orders/{id}',
        method: 'GET',
        path: '/orders/{id}',
        functionName: 'Worker',
        authorization: 'AWS_IAM',
      },
    ]);
  });
});

describe('the model of a stream', () => {
  const { Orders } = sampleTemplate().Resources;
  const table = (specification: object) => ({
    Type: 'AWS::DynamoDB::Table',
    Properties: { ...Orders?.Properties, StreamSpecification: specification },
  });
  const mapping = (properties: object) => ({
    Type: 'AWS::Lambda::EventSourceMapping',
    Properties: {
      EventSourceArn: { 'Fn::GetAtt': ['Orders', 'StreamArn'] },
      FunctionName: { Ref: 'Worker' },
      StartingPosition: 'TRIM_HORIZON',
      ...properties,
    },
  });
  const readStream = (properties: object, specification: object = { StreamViewType: 'NEW_IMAGE' }) =>
    read({ Orders: table(specification), Feed: mapping(properties) });
  const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-01T00:00:00.000';

  it('is with its table, which has none without a specification', () => {
    const [{ stream } = {}] = readStream({}, { StreamViewType: 'NEW_AND_OLD_IMAGES' }).tables;
    expect(stream).toEqual({ arn, viewType: 'NEW_AND_OLD_IMAGES' });
    expect(read().tables[0]).not.toHaveProperty('stream');
  });

  it('has a mapping with all that bounds its retries', () => {
    const { streamMappings, mappings } = readStream({
      BatchSize: 7,
      BisectBatchOnFunctionError: true,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['DeadLetters', 'Arn'] } } },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumBatchingWindowInSeconds: 3,
      MaximumRecordAgeInSeconds: 43_200,
      MaximumRetryAttempts: 9,
      ParallelizationFactor: 4,
    });
    expect(streamMappings).toEqual([
      {
        name: 'Feed',
        streamArn: arn,
        functionName: 'Worker',
        batchRecordsMax: 7,
        windowSeconds: 3,
        reportsItemFailures: true,
        parallelBatches: 4,
        bisectsBatches: true,
        retriesMax: 9,
        recordAgeSecondsMax: 43_200,
        failureQueueArn: 'arn:aws:sqs:us-east-1:000000000000:DeadLetters',
      },
    ]);
    expect(mappings.map(({ name }) => name)).toEqual(['Mapping']);
  });

  it('takes what CloudFormation takes for a mapping that sets nothing', () => {
    expect(readStream({ MaximumRetryAttempts: -1 }).streamMappings).toEqual([
      {
        name: 'Feed',
        streamArn: arn,
        functionName: 'Worker',
        batchRecordsMax: 100,
        windowSeconds: 0,
        reportsItemFailures: false,
        parallelBatches: 1,
        bisectsBatches: false,
        retriesMax: Number.POSITIVE_INFINITY,
        recordAgeSecondsMax: Number.POSITIVE_INFINITY,
      },
    ]);
  });

  it('leaves out a mapping that is switched off', () => {
    expect(readStream({ Enabled: false }).streamMappings).toEqual([]);
  });

  it('refuses a view type that there is not, and a destination that is no queue', () => {
    expect(() => readStream({}, { StreamViewType: 'EVERYTHING' })).toThrow(
      'Orders.StreamSpecification.StreamViewType is "EVERYTHING"',
    );
    const DestinationConfig = { OnFailure: { Destination: 'arn:aws:sns:us-east-1:000000000000:topic' } };
    expect(() => readStream({ DestinationConfig })).toThrow(
      'Feed.DestinationConfig.OnFailure.Destination is "arn:aws:sns:us-east-1:000000000000:topic"',
    );
  });

  it('refuses a window that adds records up', () => {
    expect(() => readStream({ TumblingWindowInSeconds: 5 })).toThrow('Feed.TumblingWindowInSeconds');
  });
});

describe('an event bus', () => {
  const bus = { Type: 'AWS::Events::EventBus', Properties: { Name: 'named', Description: 'x' } };

  it('has its logical id for a name, and its archive is left out', () => {
    const archive = {
      Type: 'AWS::Events::Archive',
      Properties: { SourceArn: { 'Fn::GetAtt': ['Bus', 'Arn'] } },
    };
    const model = read({ Bus: bus, Archive: archive, ...variable({ Ref: 'Bus' }) });
    expect(model.buses).toEqual([{ name: 'Bus' }]);
    expect(model.functions[0]?.environment).toEqual({ VALUE: 'Bus' });
  });

  it('has an ARN', () => {
    const model = read({ Bus: bus, ...variable({ 'Fn::GetAtt': ['Bus', 'Arn'] }) });
    expect(model.functions[0]?.environment).toEqual({
      VALUE: 'arn:aws:events:us-east-1:000000000000:event-bus/Bus',
    });
  });
});

/** A variable as `Fn::Sub` writes it. */
const sub = (name: string): string => `\${${name}}`;

describe('intrinsic functions', () => {
  it.each([
    [{ Ref: 'AWS::Region' }, 'us-east-1'],
    [{ Ref: 'Keys' }, 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Keys-f0d66a'],
    [{ 'Fn::GetAtt': 'Orders.Arn' }, 'arn:aws:dynamodb:us-east-1:000000000000:table/Orders'],
    [{ 'Fn::GetAtt': ['Api', 'ApiEndpoint'] }, 'http://127.0.0.1:2222'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'Orders' }]] }, 'a-Orders'],
    [
      { 'Fn::Sub': `x/${sub('Orders')}/${sub('Events.QueueName')}/${sub('!Literal')}` },
      `x/Orders/Events/${sub('Literal')}`,
    ],
    [
      { 'Fn::Sub': [`${sub('who')}-${sub('AWS::AccountId')}`, { who: { Ref: 'Orders' } }] },
      'Orders-000000000000',
    ],
    [{ 'Fn::Select': [5, { 'Fn::Split': [':', { 'Fn::GetAtt': ['Events', 'Arn'] }] }] }, 'Events'],
  ])('resolves %j', (value, expected) => {
    expect(resolved(value)).toBe(expected);
  });

  it.each([
    [{ 'Fn::ImportValue': 'x' }, 'Worker.Environment.Variables.VALUE uses Fn::ImportValue'],
    [{ Ref: 'Role' }, 'Worker.Environment.Variables.VALUE needs Ref Role'],
    [{ 'Fn::GetAtt': ['Orders', 'StreamArn'] }, 'VALUE needs Fn::GetAtt Orders.StreamArn'],
  ])('refuses %j with the resource and the property', (value, expected) => {
    expect(() => resolved(value)).toThrow(expected);
  });
});

describe('what is not covered', () => {
  it('is an error for a resource type', () => {
    expect(() => read({ Rule: { Type: 'AWS::Events::Rule' } })).toThrow(
      'Rule is of the type AWS::Events::Rule',
    );
  });

  it('is an error for a property, such as a filter that would delete messages', () => {
    const { Mapping } = sampleTemplate().Resources;
    const filtered = {
      ...Mapping,
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { ...Mapping?.Properties, FilterCriteria: {} },
    };
    expect(() => read({ Mapping: filtered })).toThrow(
      'Mapping.FilterCriteria (AWS::Lambda::EventSourceMapping)',
    );
  });

  it('is an error for a condition', () => {
    const queue = { Type: 'AWS::SQS::Queue', Condition: 'Sometimes' };
    expect(() => read({ Events: queue })).toThrow('Events has a Condition');
  });

  it('is an error for a stage that would be a part of every path', () => {
    const stage = { Type: 'AWS::ApiGatewayV2::Stage', Properties: { StageName: 'v1' } };
    expect(() => read({ Stage: stage })).toThrow('Stage.StageName is "v1"');
  });

  it('is an error for a catch-all route', () => {
    const { Route } = sampleTemplate().Resources;
    const route = {
      ...Route,
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: { ...Route?.Properties, RouteKey: '$default' },
    };
    expect(() => read({ Route: route })).toThrow('Route.RouteKey is "$default"');
  });

  it('is an error for two routes with one key', () => {
    const { Route } = sampleTemplate().Resources;
    expect(() => read({ Twin: { Type: 'AWS::ApiGatewayV2::Route', ...Route } })).toThrow(
      'Two routes have the key "GET /orders/{id}"',
    );
  });

  it('is an error for a function whose code cannot be found', () => {
    const { Worker } = sampleTemplate().Resources;
    expect(() => read({ Worker: { Type: 'AWS::Lambda::Function', ...Worker, Metadata: {} } })).toThrow(
      'Worker has no aws:asset:path',
    );
  });
});
