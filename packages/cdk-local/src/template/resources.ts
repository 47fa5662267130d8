import { join } from 'node:path';
import { asList, asNumber, asObject, asText, TemplateError } from './intrinsics.ts';
import {
  type FunctionModel,
  type QueueModel,
  type RouteModel,
  type StreamModel,
  streamViewTypes,
  type TableModel,
} from './model.ts';

/** A resource of the template. */
export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly propertyNames: readonly string[];
  /** The result of `Ref` (no name) or `Fn::GetAtt`. */
  attribute(name?: string): string;
  /** The resolved property; `otherwise` when it is not set, and without `otherwise` a `TemplateError`. */
  get<T>(name: string, as: (value: unknown, where: string) => T, ...otherwise: [] | [T]): T;
}

export function expectText(resource: Resource, property: string, expected: string): void {
  const given = resource.get(property, asText);
  if (given === expected) return;
  throw new TemplateError(
    `${resource.logicalId}.${property} is "${given}"; cdk-local emulates "${expected}" only.`,
  );
}

export function readQueue(resource: Resource): QueueModel {
  const names = ['DelaySeconds', 'MaximumMessageSize', 'MessageRetentionPeriod'];
  names.push('ReceiveMessageWaitTimeSeconds', 'VisibilityTimeout');
  const set = names.filter((name) => resource.propertyNames.includes(name));
  const attributes = Object.fromEntries(set.map((name) => [name, resource.get(name, asText)]));
  const model = {
    name: resource.logicalId,
    url: resource.attribute(),
    arn: resource.attribute('Arn'),
    attributes,
  };
  if (!resource.propertyNames.includes('RedrivePolicy')) return model;
  const policy = resource.get('RedrivePolicy', asObject);
  const where = `${resource.logicalId}.RedrivePolicy`;
  // CloudFormation accepts the number as text too, but the queue compares it.
  const maxReceiveCount = asNumber(policy['maxReceiveCount'], `${where}.maxReceiveCount`);
  const deadLetterArn = asText(policy['deadLetterTargetArn'], `${where}.deadLetterTargetArn`);
  attributes['RedrivePolicy'] = JSON.stringify({ deadLetterTargetArn: deadLetterArn, maxReceiveCount });
  return { ...model, deadLetterArn };
}

export function readTable(resource: Resource): TableModel {
  return {
    name: resource.attribute(),
    keySchema: resource.get('KeySchema', asList),
    attributeDefinitions: resource.get('AttributeDefinitions', asList),
    globalIndexes: resource.get('GlobalSecondaryIndexes', asList, []),
    localIndexes: resource.get('LocalSecondaryIndexes', asList, []),
    ...(resource.propertyNames.includes('StreamSpecification') ? { stream: readStream(resource) } : {}),
  };
}

function readStream(resource: Resource): StreamModel {
  const { StreamViewType } = resource.get('StreamSpecification', asObject);
  const viewType = streamViewTypes.find((one) => one === StreamViewType);
  if (viewType !== undefined) return { arn: resource.attribute('StreamArn'), viewType };
  throw new TemplateError(
    `${resource.logicalId}.StreamSpecification.StreamViewType is ${JSON.stringify(StreamViewType)}; ` +
      `expected one of ${streamViewTypes.join(', ')}.`,
  );
}

export function readFunction(resource: Resource, directory: string): FunctionModel {
  const asset = resource.metadata['aws:asset:path'];
  if (typeof asset !== 'string') {
    throw new TemplateError(
      `${resource.logicalId} has no aws:asset:path in its metadata, so its code cannot be found; ` +
        'synthesise with the context aws:cdk:enable-asset-metadata.',
    );
  }
  const { Variables = {} } = resource.get('Environment', asObject, {});
  const where = `${resource.logicalId}.Environment.Variables`;
  const variables = Object.entries(asObject(Variables, where));
  return {
    name: resource.attribute(),
    arn: resource.attribute('Arn'),
    codeDirectory: join(directory, asset),
    handler: resource.get('Handler', asText),
    timeoutSeconds: resource.get('Timeout', asNumber, 3),
    memoryMegabytes: resource.get('MemorySize', asNumber, 128),
    environment: Object.fromEntries(
      variables.map(([name, value]) => [name, asText(value, `${where}.${name}`)]),
    ),
  };
}

/** The name of the function behind an integration. */
export function readIntegration(resource: Resource, functions: readonly FunctionModel[]): string {
  expectText(resource, 'IntegrationType', 'AWS_PROXY');
  expectText(resource, 'PayloadFormatVersion', '2.0');
  return findFunction(resource, 'IntegrationUri', functions).name;
}

export function readRoute(resource: Resource, integrations: ReadonlyMap<string, string>): RouteModel {
  const key = resource.get('RouteKey', asText);
  const [method, path] = key.split(' ');
  if (method === undefined || path === undefined) {
    throw new TemplateError(
      `${resource.logicalId}.RouteKey is "${key}"; expected a method and a path, such as "GET /path".`,
    );
  }
  const target = resource.get('Target', asText);
  const functionName = integrations.get(target.replace(/^integrations\//, ''));
  if (functionName === undefined) {
    throw new TemplateError(`${resource.logicalId}.Target is "${target}", which is no integration.`);
  }
  const authorization = resource.get('AuthorizationType', asText, 'NONE');
  return { key, method, path, functionName, authorization };
}

/** A property names a function by its name or by its ARN. */
export function findFunction(
  resource: Resource,
  property: string,
  functions: readonly FunctionModel[],
): FunctionModel {
  const given = resource.get(property, asText);
  const found = functions.find((one) => one.name === given || one.arn === given);
  if (found !== undefined) return found;
  throw new TemplateError(
    `${resource.logicalId}.${property} is "${given}", which is no function of this template.`,
  );
}
