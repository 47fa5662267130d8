/** Single parts of a stack, for tests that want one emulator or one mapping and no template. */
export { secretArn } from './account.ts';
export { startAlarms } from './alarms/alarms.ts';
export { readAssembly } from './assembly.ts';
export { startCloudWatchLogs } from './emulators/cloudwatch-logs.ts';
export { type DynamoDbEmulator, startDynamoDb } from './emulators/dynamodb.ts';
export { type Emulators, startEmulators } from './emulators/emulators.ts';
export { openEventLog } from './emulators/event-log.ts';
export { createResources, createTable } from './emulators/resources.ts';
export { startSecretsManager } from './emulators/secrets-manager.ts';
export { startSqs } from './emulators/sqs.ts';
export { startMappings } from './event-source-mapping/mappings.ts';
export { createSqsEvent } from './event-source-mapping/sqs-event.ts';
export { functionEnvironment } from './functions/function-environment.ts';
export { failure } from './functions/invocation.ts';
export { openLogLines } from './log-lines.ts';
export { readAlarm } from './template/alarms.ts';
export type { TableModel } from './template/resources.ts';
export { readTemplate } from './template/template.ts';
