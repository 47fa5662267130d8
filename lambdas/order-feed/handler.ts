import { setTimeout as pause } from 'node:timers/promises';
import { createEventBus } from '../aws/event-bus.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { readEventMeanings } from '../contract/event-meanings.ts';
import { createOrderFeed } from './order-feed.ts';

export const handler = createOrderFeed({
  bus: createEventBus(requiredVariable(variables.feedBusName)),
  pause,
  meaningOf: readEventMeanings(optionalVariable(variables.eventMeanings)),
  telemetry: createTelemetry(),
});
