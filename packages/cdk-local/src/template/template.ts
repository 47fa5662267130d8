import type { Assembly } from '../assembly.ts';
import { isCounted, readAlarm } from './alarms.ts';
import { type Addresses, createAttributeTable } from './attributes.ts';
import { checkCoverage } from './coverage.ts';
import { createResolver, type Resolve } from './intrinsics.ts';
import { readMappings, readRotation, readSchedule, readScheduleDefinition } from './invocations.ts';
import { readAccessLog, readLogGroup, readMetricFilter } from './log-groups.ts';
import {
  apiProperties,
  type FunctionModel,
  findFunction,
  integrationProperties,
  type Resource,
  readFunction,
  readQueue,
  readRoute,
  readTable,
} from './resources.ts';
import { readRule } from './rules.ts';
import { parse, TemplateError, type TemplateParts, templateParts, text } from './schema.ts';
import { readSecret } from './secrets.ts';
import { readStageVariables } from './stage-variables.ts';

/** What a template describes. A resource's name is its logical id. */
export type StackModel = ReturnType<typeof readTemplate>;

/**
 * What a template describes. Throws a `TemplateError` for anything that is neither emulated nor ignored on
 * purpose.
 */
export function readTemplate(assembly: Assembly, addresses: Addresses) {
  const { stackName, namePrefix = stackName, directory } = assembly;
  const template = parse(templateParts, assembly.template, 'The template');
  const attributes = createAttributeTable(template, addresses);
  const resolve = createResolver(attributes, stackName);
  const resources = Object.entries(template.Resources).map(
    ([logicalId, { Type, Properties, Metadata, Condition }]): Resource => {
      // Which constructs are in use, for regions where AWS collects that.
      if (Condition !== undefined && Type !== 'AWS::CDK::Metadata') {
        throw new TemplateError(`${logicalId} has a Condition, which cdk-local does not emulate.`);
      }
      return {
        logicalId,
        type: Type,
        metadata: Metadata,
        propertyNames: Object.keys(Properties),
        attribute: (name) => parse(text, attributes(logicalId, name), `${logicalId} (${Type})`),
        // Only these, so that what is ignored may use any intrinsic function.
        read(schema) {
          const names = Object.keys(schema.entries).filter((name) => Properties[name] !== undefined);
          const resolved = names.map((name) => [name, resolve(Properties[name], `${logicalId}.${name}`)]);
          refuseReferences(logicalId, resolved);
          return parse(schema, Object.fromEntries(resolved), logicalId);
        },
      };
    },
  );
  checkCoverage(resources);
  const ofType = (type: string): Resource[] => resources.filter((resource) => resource.type === type);
  const functions = ofType('AWS::Lambda::Function').map((one) => readFunction(one, directory));
  const buses = ofType('AWS::Events::EventBus').map((one) => ({ name: one.attribute() }));
  return {
    stackName,
    template,
    resources: resources.map(({ logicalId, type }) => ({
      ...{ logicalId, type, physicalId: attributes(logicalId, undefined) ?? logicalId },
    })),
    queues: ofType('AWS::SQS::Queue').map(readQueue),
    tables: ofType('AWS::DynamoDB::Table').map(readTable),
    secrets: ofType('AWS::SecretsManager::Secret').map(readSecret),
    functions,
    logGroups: ofType('AWS::Logs::LogGroup').map(readLogGroup),
    metricFilters: ofType('AWS::Logs::MetricFilter').map(readMetricFilter),
    stageVariables: new Map(ofType('AWS::ApiGatewayV2::Stage').map(readStageVariables)),
    accessLogs: ofType('AWS::ApiGatewayV2::Stage').flatMap(readAccessLog),
    buses,
    rules: ofType('AWS::Events::Rule').map((one) =>
      readRule(
        one,
        functions,
        buses.map(({ name }) => name),
      ),
    ),
    ...readMappings(ofType('AWS::Lambda::EventSourceMapping'), functions),
    routes: readRoutes(ofType, functions),
    schedules: ofType('AWS::Scheduler::Schedule').flatMap((one) => readSchedule(one, functions)),
    scheduleDefinitions: ofType('AWS::Scheduler::Schedule').map(readScheduleDefinition),
    rotations: ofType('AWS::SecretsManager::RotationSchedule').map((one) => readRotation(one, functions)),
    alarms: ofType('AWS::CloudWatch::Alarm')
      .filter(isCounted)
      .map((one) => readAlarm(one, namePrefix)),
    outputs: readOutputs(template, resolve),
  };
}

/** The functions for which a request, a message or an event waits; a schedule and a rotation can wait. */
export function awaitedFunctions(
  model: Pick<StackModel, 'routes' | 'mappings' | 'streamMappings' | 'rules'>,
): ReadonlySet<string> {
  const { routes, mappings, streamMappings, rules } = model;
  const direct = [...routes, ...mappings, ...streamMappings].map(({ functionName }) => functionName);
  return new Set([...direct, ...rules.flatMap(({ functionNames }) => functionNames)]);
}

/** CloudFormation puts the values of secrets and parameters in their place. */
function refuseReferences(logicalId: string, properties: readonly (readonly unknown[])[]): void {
  const found = properties.find(
    ([name, value]) => name !== 'StageVariables' && JSON.stringify(value)?.includes('{{resolve:'),
  );
  if (found === undefined) return;
  throw new TemplateError(
    `${logicalId}.${found[0]} has a dynamic reference, which cdk-local emulates in StageVariables only.`,
  );
}

function readRoutes(ofType: (type: string) => readonly Resource[], functions: readonly FunctionModel[]) {
  for (const api of ofType('AWS::ApiGatewayV2::Api')) api.read(apiProperties);
  const integrations = ofType('AWS::ApiGatewayV2::Integration').map((one) => {
    const { IntegrationUri } = one.read(integrationProperties);
    const target = findFunction(functions, IntegrationUri, `${one.logicalId}.IntegrationUri`);
    return [one.logicalId, target] as const;
  });
  const routes = ofType('AWS::ApiGatewayV2::Route').map((one) => readRoute(one, new Map(integrations)));
  const keys = routes.map(({ key }) => key);
  const duplicate = keys.find((key, index) => keys.indexOf(key) !== index);
  if (duplicate === undefined) return routes;
  throw new TemplateError(`Two routes have the key "${duplicate}"; cdk-local serves all APIs on one port.`);
}

/** Outputs without those that name what has no local counterpart, such as a log group. */
function readOutputs({ Outputs }: TemplateParts, resolve: Resolve): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, { Value }] of Object.entries(Outputs)) {
    const where = `Outputs.${name}`;
    try {
      read[name] = parse(text, resolve(Value, where), where);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
    }
  }
  return read;
}
