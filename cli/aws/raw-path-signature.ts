import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';

/**
 * The headers that sign a GET of exactly this path. The signer of `client/` takes a URL, which has no `..`
 * left in it, encoded or not.
 */
export async function signRawPath(
  baseUrl: URL,
  { path, query, region }: { readonly path: string; readonly query: string; readonly region: string },
): Promise<Readonly<Record<string, string>>> {
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const signature = new SignatureV4({
    service: 'execute-api',
    region,
    credentials: defaultProvider(),
    sha256: Hash.bind(null, 'sha256'),
  });
  const { headers } = await signature.sign({
    method: 'GET',
    protocol: baseUrl.protocol,
    hostname: baseUrl.hostname,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: { host: baseUrl.host },
  });
  return headers;
}
