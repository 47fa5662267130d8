import { createSignedGet } from '../aws/signed-get.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { createDeadMansSwitch } from './dead-mans-switch.ts';
import { createHeartbeatReturn } from './heartbeat-return.ts';

const url = optionalVariable(variables.deadMansSwitchUrl);
const topicUrl = optionalVariable(variables.alarmTopicUrl);
const topic = topicUrl === undefined ? undefined : { url: topicUrl, get: createSignedGet('sns') };

export const handler = createHeartbeatReturn({
  get: createSignedGet('execute-api'),
  orderQueryUrl: requiredVariable(variables.orderQueryUrl),
  callSwitch: url === undefined ? undefined : createDeadMansSwitch({ url, topic }),
  now: Date.now,
  telemetry: createTelemetry(),
});
