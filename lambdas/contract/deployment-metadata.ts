/**
 * The metadata in the template of every resource that is part of a deployment, with the name of that
 * deployment. An app may add others to the stack: the command line neither judges nor repairs those.
 */
export const deploymentMetadata = 'payhooks:deployment';

/**
 * The output with the name of a deployment, by which the command line finds it: in the template after what the
 * other outputs of the deployment begin with, too.
 */
export const deploymentOutput = 'PayhooksDeployment';
