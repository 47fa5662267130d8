import { setTimeout as pause } from 'node:timers/promises';
import { createAttentionTable } from '../aws/attention-table.ts';
import { createDynamoDb } from '../aws/dynamodb.ts';
import { createEventBus } from '../aws/event-bus.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalCount, requiredVariable, variables } from '../contract/environment.ts';
import { createOrderFeed } from './order-feed.ts';

export const handler = createOrderFeed({
  bus: createEventBus(requiredVariable(variables.feedBusName)),
  markAttention: createAttentionTable({
    client: createDynamoDb(),
    name: requiredVariable(variables.eventsTableName),
  }),
  pause,
  sequenceBase: optionalCount(variables.sequenceBase) ?? 0,
  telemetry: createTelemetry(),
});
