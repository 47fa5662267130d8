import { account, arnOf, mappingId } from '../account.ts';
import type { MappingChanges, SwitchableMapping } from '../event-source-mapping/switchable.ts';
import type { Invocation } from '../functions/invocation.ts';
import { AwsError } from './aws-error.ts';
import { startRestJson } from './rest-json.ts';

interface Update {
  readonly Enabled?: boolean;
  readonly FunctionResponseTypes?: readonly string[];
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination?: string } };
}

const path = '/2015-03-31/event-source-mappings';

/** Lambda on a free loopback port: list, get and update event source mappings; invoke functions. */
export async function startLambda() {
  let invoke: (functionName: string, event: unknown) => Promise<Invocation> = async (name) => {
    throw new AwsError('ResourceNotFoundException', `Function not found: ${name}`);
  };
  const mappings = new Map<string, SwitchableMapping>();
  const find = (id: string): SwitchableMapping => {
    const mapping = mappings.get(id);
    if (mapping !== undefined) return mapping;
    throw new AwsError('ResourceNotFoundException', 'The resource you requested does not exist.', {
      status: 404,
    });
  };
  const { endpoint, fail, close } = await startRestJson({
    [`GET ${path}`]: ({ query }) => {
      const name = query.get('FunctionName');
      const all = [...mappings.values()].map(configurationOf);
      const isMeant = (arn: string): boolean => name === null || arn.split(':').at(-1) === name;
      return { EventSourceMappings: all.filter(({ FunctionArn }) => isMeant(FunctionArn)) };
    },
    'POST /2015-03-31/functions/*/invocations': async ({ name, parameters }) => {
      const outcome = await invoke(name, parameters);
      return outcome.ok ? (JSON.parse(outcome.payload) as object) : outcome;
    },
    [`GET ${path}/*`]: ({ name }) => configurationOf(find(name)),
    [`PUT ${path}/*`]: ({ name, parameters }) => {
      const mapping = find(name);
      mapping.update(changesOf(parameters));
      return configurationOf(mapping);
    },
  });
  return {
    ...{ endpoint, fail, close },
    invokeWith(given: typeof invoke): void {
      invoke = given;
    },
    addMapping: (mapping: SwitchableMapping) => void mappings.set(mappingId(mapping.model.name), mapping),
  };
}

function changesOf({ Enabled, FunctionResponseTypes, DestinationConfig }: Update): MappingChanges {
  const failureQueueArn = DestinationConfig?.OnFailure?.Destination;
  return {
    ...(Enabled !== undefined && { enabled: Enabled }),
    ...(FunctionResponseTypes && {
      reportsItemFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
    }),
    ...(failureQueueArn !== undefined && { failureQueueArn }),
  };
}

function configurationOf({ model, state, modifiedAt }: SwitchableMapping) {
  const UUID = mappingId(model.name);
  const isStream = 'streamArn' in model;
  const Destination = isStream ? model.failureQueueArn : undefined;
  return {
    UUID,
    EventSourceMappingArn: `arn:aws:lambda:us-east-1:${account}:event-source-mapping:${UUID}`,
    EventSourceArn: isStream ? model.streamArn : model.queueArn,
    FunctionArn: arnOf('lambda', `function:${model.functionName}`),
    State: state,
    LastModified: modifiedAt / 1_000,
    BatchSize: model.batchRecordsMax,
    FunctionResponseTypes: model.reportsItemFailures ? ['ReportBatchItemFailures'] : [],
    ...(isStream && { DestinationConfig: { OnFailure: Destination === undefined ? {} : { Destination } } }),
  };
}
