/** Local mode deploys the environment of this name; `bin/app.ts` names the stack after it. */
export const environmentName = 'local';
export const stackName = `payhooks-${environmentName}`;
/** Nothing is billed here: every step shows in the live log. */
export const unbilled = { logLevel: 'info' } as const;
