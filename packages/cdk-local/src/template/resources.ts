import { join } from 'node:path';
import * as v from 'valibot';
import { flag, list, number, object, oneOf, TemplateError, text } from './schema.ts';

/** Which properties of a resource are emulated, and their form. */
export type Properties = v.ObjectSchema<v.ObjectEntries, string>;

/** A resource of the template. */
export interface Resource {
  readonly logicalId: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly propertyNames: readonly string[];
  /** The result of `Ref` (no name) or `Fn::GetAtt`. */
  attribute(name?: string): string;
  /** Resolves the properties of the schema. Throws a `TemplateError` when one does not match. */
  read<Schema extends Properties>(schema: Schema): v.InferOutput<Schema>;
}

export const queueProperties = object({
  DelaySeconds: v.optional(text),
  MaximumMessageSize: v.optional(text),
  MessageRetentionPeriod: v.optional(text),
  ReceiveMessageWaitTimeSeconds: v.optional(text),
  // CloudFormation accepts the number as text too, but the queue compares it.
  RedrivePolicy: v.optional(object({ deadLetterTargetArn: text, maxReceiveCount: number })),
  VisibilityTimeout: v.optional(text),
});

export type QueueModel = ReturnType<typeof readQueue>;

export function readQueue(resource: Resource) {
  const { RedrivePolicy: redrive, ...settings } = resource.read(queueProperties);
  return {
    name: resource.logicalId,
    url: resource.attribute(),
    arn: resource.attribute('Arn'),
    // For CreateQueue; CloudFormation has the same names.
    attributes: {
      ...(settings as Record<string, string>),
      ...(redrive && { RedrivePolicy: JSON.stringify(redrive) }),
    } as Readonly<Record<string, string>>,
    ...(redrive && { deadLetterArn: redrive.deadLetterTargetArn }),
  };
}

export const tableProperties = object({
  AttributeDefinitions: list,
  DeletionProtectionEnabled: v.optional(flag, false),
  GlobalSecondaryIndexes: v.optional(list, []),
  KeySchema: list,
  LocalSecondaryIndexes: v.optional(list, []),
  PointInTimeRecoverySpecification: v.optional(object({ PointInTimeRecoveryEnabled: flag })),
  StreamSpecification: v.optional(
    object({ StreamViewType: oneOf('KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES') }),
  ),
  TimeToLiveSpecification: v.optional(object({ AttributeName: v.optional(text), Enabled: flag })),
});

/** The lists are for CreateTable; CloudFormation has the same shapes. */
export type TableModel = ReturnType<typeof readTable>;
export type StreamModel = NonNullable<TableModel['stream']>;

export function readTable(resource: Resource) {
  const { StreamSpecification, ...properties } = resource.read(tableProperties);
  const viewType = StreamSpecification?.StreamViewType;
  const { TimeToLiveSpecification: expiry, PointInTimeRecoverySpecification: recovery } = properties;
  return {
    name: resource.attribute(),
    keySchema: properties.KeySchema,
    attributeDefinitions: properties.AttributeDefinitions,
    globalIndexes: properties.GlobalSecondaryIndexes,
    localIndexes: properties.LocalSecondaryIndexes,
    ...(properties.DeletionProtectionEnabled && { isProtected: true }),
    ...(recovery?.PointInTimeRecoveryEnabled && { isRecoverable: true }),
    ...(expiry?.Enabled && { expiryAttribute: expiry.AttributeName }),
    ...(viewType && { stream: { arn: resource.attribute('StreamArn'), viewType } }),
  };
}

export const functionProperties = object({
  Environment: v.optional(object({ Variables: v.optional(v.record(v.string(), text, 'an object'), {}) })),
  Handler: text,
  // What a function writes reaches `onLine` in full: formats and levels are for a log group of AWS.
  LoggingConfig: v.optional(
    object({
      ApplicationLogLevel: v.optional(text),
      LogFormat: v.optional(oneOf('Text', 'JSON')),
      LogGroup: v.optional(text),
      SystemLogLevel: v.optional(text),
    }),
  ),
  MemorySize: v.optional(number, 128),
  Timeout: v.optional(number, 3),
});

export type FunctionModel = ReturnType<typeof readFunction>;

export function readFunction(resource: Resource, directory: string) {
  const asset = resource.metadata['aws:asset:path'];
  if (typeof asset !== 'string') {
    throw new TemplateError(
      `${resource.logicalId} has no aws:asset:path in its metadata, so its code cannot be found; ` +
        'synthesise with the context aws:cdk:enable-asset-metadata.',
    );
  }
  const { Environment, Handler, LoggingConfig, MemorySize, Timeout } = resource.read(functionProperties);
  return {
    name: resource.attribute(),
    arn: resource.attribute('Arn'),
    /** The folder with the bundled code. */
    codeDirectory: join(directory, asset),
    /** `<file without extension>.<export>`. */
    handler: Handler,
    timeoutSeconds: Timeout,
    memoryMegabytes: MemorySize,
    environment: Environment?.Variables ?? {},
    ...(LoggingConfig?.LogGroup !== undefined && { logGroupName: LoggingConfig.LogGroup }),
  };
}

export const apiProperties = object({ ProtocolType: oneOf('HTTP') });

export const integrationProperties = object({
  IntegrationType: oneOf('AWS_PROXY'),
  IntegrationUri: text,
  PayloadFormatVersion: oneOf('2.0'),
});

export const routeProperties = object({
  ApiId: text,
  AuthorizationType: v.optional(text, 'NONE'),
  RouteKey: v.pipe(text, v.regex(/^(?!ANY)[A-Z]+ \//, 'a method and a path, such as "GET /path"')),
  Target: text,
});

export type RouteModel = ReturnType<typeof readRoute>;

/** `functionsById` has the function of each integration. */
export function readRoute(resource: Resource, functionsById: ReadonlyMap<string, FunctionModel>) {
  const { ApiId: apiId, AuthorizationType, RouteKey, Target } = resource.read(routeProperties);
  const [method = '', path = ''] = RouteKey.split(' ');
  const target = functionsById.get(Target.replace(/^integrations\//, ''));
  if (target === undefined) {
    throw new TemplateError(`${resource.logicalId}.Target is "${Target}", which is no integration.`);
  }
  return { apiId, key: RouteKey, method, path, functionName: target.name, authorization: AuthorizationType };
}

/** `given` is a name or an ARN; `where` is the property that has it. */
export function findFunction(
  functions: readonly FunctionModel[],
  given: string,
  where: string,
): FunctionModel {
  const found = functions.find(({ name, arn }) => name === given || arn === given);
  if (found !== undefined) return found;
  throw new TemplateError(`${where} is "${given}", which is no function of this template.`);
}
