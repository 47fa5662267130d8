import { account, arnOf, mappingId, secretArn, streamArn, tableArn } from '../account.ts';
import type { AttributeTable } from './intrinsics.ts';
import type { TemplateParts } from './schema.ts';

/** The addresses of this run. */
export interface Addresses {
  readonly sqsEndpoint: string;
  /** Of every HTTP API. */
  readonly baseUrl: string;
}

/** The results of `Ref` and `Fn::GetAtt`. A resource's name is its logical id. */
type Attributes = Readonly<Record<string, string>>;

type AttributesOf = (logicalId: string, addresses: Addresses, properties: object) => Attributes;

const attributesByType: Readonly<Record<string, AttributesOf>> = {
  // The queue URL holds the emulator's own address, because the SDK may take the URL for the endpoint.
  'AWS::SQS::Queue': (id, { sqsEndpoint }) => {
    const url = `${sqsEndpoint}/${account}/${id}`;
    return { Ref: url, Arn: arnOf('sqs', id), QueueName: id, QueueUrl: url };
  },
  'AWS::DynamoDB::Table': (id, _, properties) => ({
    Ref: id,
    Arn: tableArn(id),
    ...('StreamSpecification' in properties && { StreamArn: streamArn(id) }),
  }),
  'AWS::Events::EventBus': (id) => ({ Ref: id, Name: id, Arn: arnOf('events', `event-bus/${id}`) }),
  'AWS::SecretsManager::Secret': (id) => ({ Ref: secretArn(id), Id: secretArn(id) }),
  'AWS::KMS::Key': (id) => ({ Ref: id, KeyId: id, Arn: arnOf('kms', `key/${id}`) }),
  'AWS::Logs::LogGroup': (id) => ({ Ref: id, Arn: arnOf('logs', `log-group:${id}:*`) }),
  'AWS::Lambda::Function': (id) => ({ Ref: id, Arn: arnOf('lambda', `function:${id}`) }),
  'AWS::Lambda::EventSourceMapping': (id) => ({ Ref: mappingId(id), Id: mappingId(id) }),
  // IAM is not enforced, but a schedule refers to its role.
  'AWS::IAM::Role': (id) => ({ Arn: `arn:aws:iam::${account}:role/${id}` }),
  'AWS::ApiGatewayV2::Api': (id, { baseUrl }) => ({ Ref: id, ApiId: id, ApiEndpoint: baseUrl }),
  'AWS::ApiGatewayV2::Integration': (id) => ({ Ref: id }),
};

export function createAttributeTable({ Resources }: TemplateParts, addresses: Addresses): AttributeTable {
  return function findAttribute(logicalId, attribute = 'Ref') {
    const { Type = '', Properties = {} } = Resources[logicalId] ?? {};
    return attributesByType[Type]?.(logicalId, addresses, Properties)[attribute];
  };
}
