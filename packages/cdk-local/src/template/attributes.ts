import { account, region } from '../account.ts';
import { secretArn } from '../emulators/secrets-manager.ts';
import type { AttributeTable } from './intrinsics.ts';

/** The addresses of this run. */
export interface Addresses {
  readonly sqsEndpoint: string;
  /** Of the HTTP front, which is every API at once. */
  readonly baseUrl: string;
}

/** The results of `Ref` and `Fn::GetAtt`. A resource's name is its logical id. */
type Attributes = Readonly<Record<string, string>>;

type AttributesOf = (logicalId: string, addresses: Addresses, hasProperty: HasProperty) => Attributes;
type HasProperty = (name: string) => boolean;

/** The last part of a stream's ARN is the time of its creation; here it is the same in every run. */
const streamLabel = '2026-01-01T00:00:00.000';

const tableArn = (id: string): string => `arn:aws:dynamodb:${region}:${account}:table/${id}`;

const attributesByType: Readonly<Record<string, AttributesOf>> = {
  // The queue URL holds the emulator's own address, because the SDK may take the URL for the endpoint.
  'AWS::SQS::Queue': (id, { sqsEndpoint }) => ({
    Ref: `${sqsEndpoint}/${account}/${id}`,
    Arn: `arn:aws:sqs:${region}:${account}:${id}`,
    QueueName: id,
    QueueUrl: `${sqsEndpoint}/${account}/${id}`,
  }),
  'AWS::DynamoDB::Table': (id, _, hasProperty) => ({
    Ref: id,
    Arn: tableArn(id),
    ...(hasProperty('StreamSpecification') && { StreamArn: `${tableArn(id)}/stream/${streamLabel}` }),
  }),
  'AWS::Events::EventBus': (id) => ({
    Ref: id,
    Name: id,
    Arn: `arn:aws:events:${region}:${account}:event-bus/${id}`,
  }),
  'AWS::SecretsManager::Secret': (id) => ({ Ref: secretArn(id), Id: secretArn(id) }),
  'AWS::Lambda::Function': (id) => ({ Ref: id, Arn: `arn:aws:lambda:${region}:${account}:function:${id}` }),
  // IAM is not enforced, but a schedule refers to its role.
  'AWS::IAM::Role': (id) => ({ Arn: `arn:aws:iam::${account}:role/${id}` }),
  'AWS::ApiGatewayV2::Api': (id, { baseUrl }) => ({ Ref: id, ApiId: id, ApiEndpoint: baseUrl }),
  'AWS::ApiGatewayV2::Integration': (id) => ({ Ref: id }),
};

export interface AttributeOwner {
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export function createAttributeTable(
  owners: readonly AttributeOwner[],
  addresses: Addresses,
): AttributeTable {
  const byId = new Map(owners.map((owner) => [owner.logicalId, owner]));
  return (logicalId, attribute = 'Ref') => {
    const { type = '', properties = {} } = byId.get(logicalId) ?? {};
    const attributesOf = attributesByType[type];
    return attributesOf?.(logicalId, addresses, (name) => Object.hasOwn(properties, name))[attribute];
  };
}
