import { account, region } from '../emulators/account.ts';
import { secretArn } from '../emulators/secrets-store.ts';
import type { AttributeTable } from './intrinsics.ts';

/** The addresses that only this run knows. */
export interface Addresses {
  readonly sqsEndpoint: string;
  /** Of the HTTP front, which is every API at once. */
  readonly baseUrl: string;
}

/** What `Ref` gives, and what `Fn::GetAtt` can ask for. A resource's name is its logical id. */
type Attributes = Readonly<Record<string, string>>;

const attributesByType: Readonly<Record<string, (logicalId: string, addresses: Addresses) => Attributes>> = {
  // The queue URL holds the emulator's own address, because the SDK may take the URL for the endpoint.
  'AWS::SQS::Queue': (id, { sqsEndpoint }) => ({
    Ref: `${sqsEndpoint}/${account}/${id}`,
    Arn: `arn:aws:sqs:${region}:${account}:${id}`,
    QueueName: id,
    QueueUrl: `${sqsEndpoint}/${account}/${id}`,
  }),
  'AWS::DynamoDB::Table': (id) => ({ Ref: id, Arn: `arn:aws:dynamodb:${region}:${account}:table/${id}` }),
  'AWS::SecretsManager::Secret': (id) => ({ Ref: secretArn(id), Id: secretArn(id) }),
  'AWS::Lambda::Function': (id) => ({ Ref: id, Arn: `arn:aws:lambda:${region}:${account}:function:${id}` }),
  'AWS::ApiGatewayV2::Api': (id, { baseUrl }) => ({ Ref: id, ApiId: id, ApiEndpoint: baseUrl }),
  'AWS::ApiGatewayV2::Integration': (id) => ({ Ref: id }),
};

export function createAttributeTable(
  types: ReadonlyMap<string, string>,
  addresses: Addresses,
): AttributeTable {
  return (logicalId, attribute = 'Ref') => {
    const attributesOf = attributesByType[types.get(logicalId) ?? ''];
    return attributesOf?.(logicalId, addresses)[attribute];
  };
}
