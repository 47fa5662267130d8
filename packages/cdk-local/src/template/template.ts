import type { Assembly } from '../assembly.ts';
import { isCountedByFunctions, readAlarm } from './alarms.ts';
import { type Addresses, createAttributeTable } from './attributes.ts';
import { checkCoverage } from './coverage.ts';
import { withoutCustomDomains } from './custom-domains.ts';
import { asObject, asText, createResolver, type Resolve, TemplateError } from './intrinsics.ts';
import {
  isEnabled,
  readMapping,
  readRotation,
  readSchedule,
  readStreamMapping,
  readsStream,
} from './invocations.ts';
import type { StackModel } from './model.ts';
import {
  expectText,
  type Resource,
  readFunction,
  readIntegration,
  readQueue,
  readRoute,
  readTable,
} from './resources.ts';

/**
 * What a template describes. Throws a `TemplateError` for anything that is neither emulated nor ignored on
 * purpose.
 */
export function readTemplate(assembly: Assembly, addresses: Addresses): StackModel {
  const { stackName, directory } = assembly;
  const { resources, outputs } = readParts(assembly, addresses);
  checkCoverage(resources);
  const ofType = (type: string): Resource[] => resources.filter((resource) => resource.type === type);

  // Another stage would be a part of every path.
  for (const stage of ofType('AWS::ApiGatewayV2::Stage')) expectText(stage, 'StageName', '$default');
  for (const api of ofType('AWS::ApiGatewayV2::Api')) expectText(api, 'ProtocolType', 'HTTP');
  const functions = ofType('AWS::Lambda::Function').map((one) => readFunction(one, directory));
  const integrations = new Map(
    ofType('AWS::ApiGatewayV2::Integration').map((one) => [one.logicalId, readIntegration(one, functions)]),
  );
  const routes = ofType('AWS::ApiGatewayV2::Route').map((one) => readRoute(one, integrations));
  refuseDuplicates(routes.map((route) => route.key));
  const mappings = ofType('AWS::Lambda::EventSourceMapping').filter(isEnabled);
  const schedules = ofType('AWS::Scheduler::Schedule').filter(isEnabled);
  return {
    stackName,
    queues: ofType('AWS::SQS::Queue').map(readQueue),
    tables: ofType('AWS::DynamoDB::Table').map(readTable),
    secrets: ofType('AWS::SecretsManager::Secret').map((one) => ({
      ...{ name: one.logicalId, arn: one.attribute() },
    })),
    functions,
    buses: ofType('AWS::Events::EventBus').map((one) => ({ name: one.attribute() })),
    mappings: mappings.filter((one) => !readsStream(one)).map((one) => readMapping(one, functions)),
    streamMappings: mappings.filter(readsStream).map((one) => readStreamMapping(one, functions)),
    routes,
    schedules: schedules.map((one) => readSchedule(one, functions)),
    rotations: ofType('AWS::SecretsManager::RotationSchedule').map((one) => readRotation(one, functions)),
    alarms: ofType('AWS::CloudWatch::Alarm')
      .filter(isCountedByFunctions)
      .map((one) => readAlarm(one, stackName)),
    outputs,
  };
}

interface Parts {
  readonly resources: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
}

function readParts({ template, stackName }: Assembly, addresses: Addresses): Parts {
  const local = withoutCustomDomains(template, addresses.baseUrl);
  const { Resources, Outputs = {} } = asObject(local, 'The template');
  const raw = Object.entries(asObject(Resources, 'Resources')).map(([logicalId, value]) => {
    const { Type, Properties = {}, Metadata = {}, Condition } = asObject(value, logicalId);
    if (Condition !== undefined) {
      throw new TemplateError(`${logicalId} has a Condition, which cdk-local does not emulate.`);
    }
    return {
      logicalId,
      type: asText(Type, `${logicalId}.Type`),
      properties: asObject(Properties, `${logicalId}.Properties`),
      metadata: asObject(Metadata, `${logicalId}.Metadata`),
    };
  });
  const attributes = createAttributeTable(raw, addresses);
  const resolve = createResolver(attributes, stackName);
  const resources = raw.map(
    ({ logicalId, type, properties, metadata }): Resource => ({
      logicalId,
      type,
      metadata,
      propertyNames: Object.keys(properties),
      attribute: (name) => asText(attributes(logicalId, name), `${logicalId} (${type})`),
      // Resolved only when it is read, so that what is ignored may use any intrinsic function.
      get(name, as, ...otherwise) {
        const where = `${logicalId}.${name}`;
        const [whenMissing] = otherwise;
        if (properties[name] !== undefined) return as(resolve(properties[name], where), where);
        if (whenMissing !== undefined) return whenMissing;
        throw new TemplateError(`${where} is missing.`);
      },
    }),
  );
  return { resources, outputs: readOutputs(asObject(Outputs, 'Outputs'), resolve) };
}

/** Outputs without those that name what has no local counterpart, such as a log group. */
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

/** Every API is behind one port here, so that two APIs cannot both have a route. */
function refuseDuplicates(keys: readonly string[]): void {
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index);
  if (duplicate === undefined) return;
  throw new TemplateError(`Two routes have the key "${duplicate}"; cdk-local serves all APIs on one port.`);
}
