/** Local mode deploys the environment of this name; `bin/app.ts` names the stack after it. */
export const environmentName = 'local';
export const stackName = `payhooks-${environmentName}`;
