/** Local mode deploys the environment of this name; `bin/app.ts` names the stack after it. */
export const environmentName = 'local';
export const stackName = `payhooks-${environmentName}`;
/** Nothing is billed here: every step shows in the live log, and no event waits for others. */
export const unbilled = { logLevel: 'info', recordWithinSeconds: 0, feedWithinSeconds: 0 } as const;
