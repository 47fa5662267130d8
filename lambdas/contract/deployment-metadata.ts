/**
 * The metadata in the template of every resource that is part of a deployment, with the name of that
 * deployment. An app may add others to the stack: the command line neither judges nor repairs those.
 */
export const deploymentMetadata = 'payhooks:deployment';

/**
 * The output with the name of a deployment, by which the command line finds it. It begins as every other output
 * of the deployment does.
 */
export const deploymentOutput = 'PayhooksDeployment';

/** The context with which local mode synthesises an app, and the settings there that it needs. */
export const localContext = 'payhooks:local';
