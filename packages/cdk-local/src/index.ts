export { type Alarms, type AlarmView, alarmLine, startAlarms } from './alarms/alarms.ts';
export { credentials, environmentName, loopback, region, stackName } from './emulators/account.ts';
export { type DynamoDbEmulator, startDynamoDb } from './emulators/dynamodb.ts';
export type { StreamPosition, TableStream } from './emulators/dynamodb-stream.ts';
export { type EmulatorPaths, type Emulators, type Endpoints, startEmulators } from './emulators/emulators.ts';
export { startEventBridge } from './emulators/event-bridge.ts';
export type { BusEvent } from './emulators/event-bridge-entries.ts';
export { type EventLog, type LoggedEvent, openEventLog } from './emulators/event-bridge-log.ts';
export { closeServer, listen } from './emulators/listen.ts';
export { createResources, createTable } from './emulators/resources.ts';
export { startSecretsManager } from './emulators/secrets-manager.ts';
export { secretArn } from './emulators/secrets-store.ts';
export { createSqsEvent } from './event-source-mapping/event.ts';
export {
  type EventSourceMapping,
  startEventSourceMapping,
} from './event-source-mapping/event-source-mapping.ts';
export { startStreamMapping } from './event-source-mapping/stream-mapping.ts';
export { functionEnvironment } from './functions/function-environment.ts';
export { failure, type Invocation } from './functions/invocation.ts';
export { createLambdaFunction, type LambdaFunction } from './functions/lambda-function.ts';
export { passesAsText } from './http-front/event.ts';
export { type HttpFront, type LocalHandler, openHttpFront } from './http-front/http-front.ts';
export { isCrossSite, isLoopbackHost } from './http-front/loopback-guard.ts';
export { startSchedules } from './schedules/schedules.ts';
export type {
  FunctionModel,
  MappingModel,
  QueueModel,
  StackModel,
  StreamMappingModel,
  TableModel,
} from './template/model.ts';
export { readTemplate } from './template/template.ts';
