/**
 * Replaces `@aws-sdk/credential-provider-node`. Lambda passes credentials to a function only through its
 * environment, so the original chain (SSO, web identity, profiles, instance metadata) would never run.
 */
export const defaultProvider = () =>
  async function provideCredentials() {
    const { env } = process;
    const [accessKeyId, secretAccessKey] = [env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY];
    if (!accessKeyId || !secretAccessKey)
      throw new Error('AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not in the environment.');
    return { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN || undefined };
  };
