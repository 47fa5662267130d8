import { isCountedByFunctions, readAlarm } from './alarms.ts';
import { type Addresses, createAttributeTable } from './attributes.ts';
import { findUncovered } from './coverage.ts';
import { withoutCustomDomains } from './custom-domains.ts';
import { asObject, asText, createResolver, type Resolve, TemplateError } from './intrinsics.ts';
import { isEnabled, readMapping, readStreamMapping, readsStream } from './mappings.ts';
import type { StackModel } from './model.ts';
import {
  expectText,
  type Resource,
  readFunction,
  readIntegration,
  readQueue,
  readRoute,
  readSecret,
  readTable,
} from './resources.ts';
import { isScheduleEnabled, readRotation, readSchedule } from './schedules.ts';

export interface TemplateSource {
  /** The folder that the template was synthesised into, and with it the bundles. */
  readonly directory: string;
  readonly addresses: Addresses;
}

/**
 * What local mode runs of a CloudFormation template (parsed JSON). Throws a `TemplateError` for anything in
 * it that is neither emulated nor left out on purpose.
 */
export function readTemplate(template: unknown, source: TemplateSource): StackModel {
  const { addresses } = source;
  const { resources, outputs } = readParts(withoutCustomDomains(template, addresses.baseUrl), addresses);
  const uncovered = findUncovered(resources);
  if (uncovered !== undefined) throw new TemplateError(uncovered);
  const ofType = (type: string): Resource[] => resources.filter((resource) => resource.type === type);

  // Another stage would be a part of every path.
  for (const stage of ofType('AWS::ApiGatewayV2::Stage')) expectText(stage, 'StageName', '$default');
  for (const api of ofType('AWS::ApiGatewayV2::Api')) expectText(api, 'ProtocolType', 'HTTP');
  const functions = ofType('AWS::Lambda::Function').map((one) => readFunction(one, source.directory));
  const integrations = new Map(
    ofType('AWS::ApiGatewayV2::Integration').map((one) => [one.logicalId, readIntegration(one, functions)]),
  );
  const routes = ofType('AWS::ApiGatewayV2::Route').map((one) => readRoute(one, integrations));
  refuseTwins(routes.map((route) => route.key));
  const mappings = ofType('AWS::Lambda::EventSourceMapping').filter(isEnabled);
  return {
    queues: ofType('AWS::SQS::Queue').map(readQueue),
    tables: ofType('AWS::DynamoDB::Table').map(readTable),
    secrets: ofType('AWS::SecretsManager::Secret').map(readSecret),
    functions,
    buses: ofType('AWS::Events::EventBus').map((one) => ({ name: one.attribute() })),
    mappings: mappings.filter((one) => !readsStream(one)).map((one) => readMapping(one, functions)),
    streamMappings: mappings.filter(readsStream).map((one) => readStreamMapping(one, functions)),
    routes,
    schedules: ofType('AWS::Scheduler::Schedule')
      .filter(isScheduleEnabled)
      .map((one) => readSchedule(one, functions)),
    rotations: ofType('AWS::SecretsManager::RotationSchedule').map((one) => readRotation(one, functions)),
    alarms: ofType('AWS::CloudWatch::Alarm').filter(isCountedByFunctions).map(readAlarm),
    outputs,
  };
}

interface Parts {
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
}

function readParts(template: unknown, addresses: Addresses): Parts {
  const { Resources, Outputs = {} } = asObject(template, 'The template');
  const raw = Object.entries(asObject(Resources, 'Resources')).map(([logicalId, value]) => {
    const { Type, Properties = {}, Metadata = {}, Condition } = asObject(value, logicalId);
    if (Condition !== undefined) {
      throw new TemplateError(`${logicalId} has a Condition, which local mode does not emulate.`);
    }
    return {
      logicalId,
      type: asText(Type, `${logicalId}.Type`),
      properties: asObject(Properties, `${logicalId}.Properties`),
      metadata: asObject(Metadata, `${logicalId}.Metadata`),
    };
  });
  const attributes = createAttributeTable(raw, addresses);
  const resolve = createResolver(attributes);
  const resources = raw.map(
    ({ logicalId, type, properties, metadata }): Resource => ({
      logicalId,
      type,
      metadata,
      propertyNames: Object.keys(properties),
      attribute: (name) => asText(attributes(logicalId, name), `${logicalId} (${type})`),
      get: createGetter({ logicalId, properties, resolve }),
    }),
  );
  return { resources, outputs: readOutputs(asObject(Outputs, 'Outputs'), resolve) };
}

/** Outputs without those that name what local mode has no counterpart of, such as a log group. */
function readOutputs(outputs: Readonly<Record<string, unknown>>, resolve: Resolve): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, output] of Object.entries(outputs)) {
    const where = `Outputs.${name}`;
    try {
      read[name] = asText(resolve(asObject(output, where)['Value'], where), where);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
    }
  }
  return read;
}

interface Unresolved {
  readonly logicalId: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly resolve: Resolve;
}

/** Resolves a property when it is asked for, so that what is left out may use any intrinsic function. */
function createGetter({ logicalId, properties, resolve }: Unresolved): Resource['get'] {
  return (name, as, ...otherwise) => {
    const where = `${logicalId}.${name}`;
    const value = properties[name];
    const [whenMissing] = otherwise;
    if (value === undefined && whenMissing !== undefined) return whenMissing;
    if (value === undefined) throw new TemplateError(`${where} is missing.`);
    return as(resolve(value, where), where);
  };
}

/** Every API is behind one port here, so that two APIs cannot both have a route. */
function refuseTwins(keys: readonly string[]): void {
  const twin = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twin !== undefined)
    throw new TemplateError(`Two routes have the key "${twin}"; local mode has one port.`);
}
