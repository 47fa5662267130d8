import { devNull } from 'node:os';
import { credentials, region } from '../account.ts';
import type { Endpoints } from '../emulators/emulators.ts';
import type { FunctionModel } from '../template/resources.ts';

/** The services that functions call. */
export type FunctionEndpoints = Readonly<Partial<Endpoints>>;

/** As the SDK names them in variables. */
const endpointNames = {
  ...{ cloudFormation: 'CLOUDFORMATION', dynamodb: 'DYNAMODB', eventBridge: 'EVENTBRIDGE', lambda: 'LAMBDA' },
  ...{ logs: 'CLOUDWATCH_LOGS', scheduler: 'SCHEDULER', secretsManager: 'SECRETS_MANAGER', sqs: 'SQS' },
} as const satisfies Record<keyof Endpoints, string>;

/** All of a function's `process.env`: from Lambda, from the template, and the endpoints of the emulators. */
export function functionEnvironment(
  model: FunctionModel,
  endpoints: FunctionEndpoints,
): Record<string, string> {
  return {
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: model.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(model.memoryMegabytes),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: model.logGroupName ?? `/aws/lambda/${model.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    // Identifies the function in requests; no emulator checks a signature.
    AWS_ACCESS_KEY_ID: model.name,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    LAMBDA_TASK_ROOT: model.codeDirectory,
    TZ: ':UTC',
    _HANDLER: model.handler,
    ...model.environment,
    AWS_SAM_LOCAL: 'true',
    ...Object.fromEntries(
      Object.entries(endpoints).map(([service, url]) => [
        `AWS_ENDPOINT_URL_${endpointNames[service as keyof Endpoints]}`,
        url,
      ]),
    ),
    // The developer's own profile could name another endpoint, or real credentials.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}
