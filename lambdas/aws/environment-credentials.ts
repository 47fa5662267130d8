/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles (an esbuild alias). Lambda hands
 * credentials to a function through its environment and nowhere else; the chain of the original (SSO, web
 * identity, profiles, instance metadata) would be code that never runs; `npm run measure` prints its size.
 */
interface EnvironmentCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export function defaultProvider(): () => Promise<EnvironmentCredentials> {
  return async () => {
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
