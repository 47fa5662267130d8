/** The account and region that every emulator, queue URL and ARN of local mode agrees on. */
export const account = '000000000000';
export const region = 'us-east-1';
/** Local mode is the environment of this name; see `lib/configuration.ts`. */
export const environmentName = 'local';
export const stackName = `payhooks-${environmentName}`;

/** The emulators check no signature, but the SDK refuses to send a request without credentials. */
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

/** Every server of local mode listens here and nowhere else. */
export const loopback = '127.0.0.1';
