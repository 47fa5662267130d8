import { createSecretReader } from '../aws/secret-reader.ts';
import { createTelemetry } from '../aws/telemetry.ts';
import { optionalVariable, requiredVariable, variables } from '../contract/environment.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createPost } from './post.ts';

const certificateSecretArn = optionalVariable(variables.clientCertificateSecretArn);

export const handler = createHeartbeat({
  webhookUrl: requiredVariable(variables.webhookUrl),
  signatureHeader: requiredVariable(variables.signatureHeader),
  readKey: createSecretReader(requiredVariable(variables.heartbeatKeySecretArn)),
  readCertificate: certificateSecretArn === undefined ? undefined : createSecretReader(certificateSecretArn),
  post: createPost(),
  newId: () => crypto.randomUUID(),
  now: Date.now,
  telemetry: createTelemetry(),
});
