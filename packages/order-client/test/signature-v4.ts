import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { identity, type Received } from './scene.ts';

/** What the AWS SDK's own signer writes into the header Authorization of a request that was received. */
export async function sdkAuthorization({ method, url, headers, body }: Received, credentials = identity) {
  const scope = /\/([\w-]+)\/execute-api\/aws4_request, SignedHeaders=([\w;-]+)/;
  const [, region = '', names = ''] = scope.exec(headers.authorization ?? '') ?? [];
  const [path = '', query] = url.split('?');
  const signer = new SignatureV4({
    ...{ service: 'execute-api', region, credentials, applyChecksum: false },
    sha256: Hash.bind(null, 'sha256'),
  });
  const date = String(headers['x-amz-date']).replace(/(....)(..)(..T..)(..)(..)/, '$1-$2-$3:$4:$5');
  const signed = await signer.sign(
    {
      ...{ method, protocol: 'http:', hostname: String(headers.host), path, body },
      query: Object.fromEntries(new URLSearchParams(query)),
      headers: Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])])),
    },
    { signingDate: new Date(date) },
  );
  return signed.headers['authorization'];
}
