import { createSecretReader } from '../aws/secret-reader.ts';
import { createSignedGet } from '../aws/signed-get.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { createDeadMansSwitch } from './dead-mans-switch.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createPost } from './post.ts';

const certificateSecretArn = optionalVariable(variables.clientCertificateSecretArn);
const url = optionalVariable(variables.deadMansSwitchUrl);
const topicUrl = optionalVariable(variables.alarmTopicUrl);
const topic = topicUrl === undefined ? undefined : { url: topicUrl, get: createSignedGet('sns') };

export const handler = createHeartbeat({
  webhookUrl: requiredVariable(variables.webhookUrl),
  signatureHeader: requiredVariable(variables.signatureHeader),
  readKey: createSecretReader(requiredVariable(variables.heartbeatKeySecretArn)),
  readCertificate: certificateSecretArn === undefined ? undefined : createSecretReader(certificateSecretArn),
  post: createPost(),
  get: createSignedGet('execute-api'),
  orderQueryUrl: requiredVariable(variables.orderQueryUrl),
  callSwitch: url === undefined ? undefined : createDeadMansSwitch({ url, topic }),
  newId: () => crypto.randomUUID(),
  now: Date.now,
  telemetry: createTelemetry(),
});
