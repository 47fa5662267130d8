/** The account and the region of every ARN and queue URL. */
export const account = '000000000000';
export const region = 'us-east-1';

/** The emulators check no signature, but the SDK sends no request without credentials. */
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;
