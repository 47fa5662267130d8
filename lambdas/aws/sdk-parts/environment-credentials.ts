/**
 * Replaces `@aws-sdk/credential-provider-node`. Lambda passes credentials to a function only through its
 * environment, so the original chain (SSO, web identity, profiles, instance metadata) would never run.
 */
export function defaultProvider() {
  return async function provideCredentials() {
    const accessKeyId = process.env['AWS_ACCESS_KEY_ID'];
    const secretAccessKey = process.env['AWS_SECRET_ACCESS_KEY'];
    const sessionToken = process.env['AWS_SESSION_TOKEN'];
    if (!accessKeyId || !secretAccessKey) {
      throw new Error(
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not in the environment; Lambda sets both.',
      );
    }
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  };
}
