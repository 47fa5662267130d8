/**
 * Replaces `@aws-sdk/credential-provider-node`. Lambda passes credentials to a function only through its
 * environment, so the original chain (SSO, web identity, profiles, instance metadata) would never run.
 */
export const defaultProvider = () => {
  let found;
  // Node reads the environment anew each time.
  return async () => (found ??= read(process.env));
};

function read({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, ...env }) {
  if (!accessKeyId || !secretAccessKey)
    throw new Error('AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not in the environment.');
  return { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN || undefined };
}
