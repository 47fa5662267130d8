import { createHash } from 'node:crypto';

/** The account and the region of every ARN and queue URL. */
export const account = '000000000000';
export const region = 'us-east-1';

/** The emulators check no signature, but the SDK sends no request without credentials. */
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

/** Who calls a route with IAM authorisation. */
export const callerArn = `arn:aws:iam::${account}:user/local`;

export const arnOf = (service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

export const tableArn = (name: string): string => arnOf('dynamodb', `table/${name}`);

/** AWS ends the ARN with the time of the stream's creation; here it is the same in every run. */
export const streamArn = (tableName: string): string =>
  `${tableArn(tableName)}/stream/2026-01-01T00:00:00.000`;

/** AWS ends the ARN with six random characters; here the name decides them, so that a restart keeps them. */
export const secretArn = (name: string): string =>
  arnOf('secretsmanager', `secret:${name}-${createHash('sha256').update(name).digest('hex').slice(0, 6)}`);

/** A UUID, as the mappings of Lambda have, which the logical id decides. */
export function mappingId(logicalId: string): string {
  const hash = createHash('sha256').update(logicalId).digest('hex');
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
