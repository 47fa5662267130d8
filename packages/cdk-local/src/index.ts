export { credentials, region } from './account.ts';
export type { AlarmView } from './alarms/alarms.ts';
export type { MetricId, Span, Statistic } from './alarms/metrics.ts';
export {
  type Assembly,
  type Choose,
  SynthesisError,
  type SynthesisOptions,
  synthesise,
} from './assembly.ts';
export { DataDirectoryError } from './data-directory.ts';
export type { Endpoints } from './emulators/emulators.ts';
export type { BusEvent, EventLog, LoggedEvent } from './emulators/event-log.ts';
export type { ServiceFault } from './emulators/faults.ts';
export { KeptResourceError } from './emulators/resources.ts';
export { StackError } from './functions/functions.ts';
export type { Invocation } from './functions/invocation.ts';
export type { LocalHandler } from './http-front/http-front.ts';
export { closeServer, isCrossSite, isLoopbackHost, listen } from './loopback.ts';
export { type CreatedStack, type Stack, type StackOptions, startStack } from './stack.ts';
export type { FunctionModel } from './template/resources.ts';
export { TemplateError } from './template/schema.ts';
export type { StackModel } from './template/template.ts';
