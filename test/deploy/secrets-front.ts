import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createSend, type HttpResponse } from '../acceptance/pipeline.ts';
import type { Certificate } from './certificate.ts';

/**
 * The Secrets Manager of the deployed functions: MiniStack, except that a secret or a version without a value is not
 * found, as on AWS. MiniStack gives an empty one. Everything else passes unchanged, so that signatures stay valid.
 */
export async function startSecretsFront(ministackEndpoint: string, certificate: Certificate) {
  const send = createSend({ ca: certificate.ca });
  const key = await readFile(certificate.keyFile);
  const server = createServer({ key, cert: certificate.ca }, async (request, response) => {
    try {
      const body = await buffer(request);
      const given = await send(`${ministackEndpoint}${request.url}`, body, request.headers);
      const isRead = request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue';
      const { status, body: content } = isRead && isEmpty(given) ? notFound : given;
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(content);
    } catch (error) {
      response.writeHead(502).end(String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `https://localhost:${port}`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

function isEmpty({ status, body }: HttpResponse): boolean {
  if (status !== 200) return false;
  const { SecretString, SecretBinary } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return (SecretString ?? '') === '' && SecretBinary === undefined;
}

const notFound: Pick<HttpResponse, 'status' | 'body'> = {
  status: 400,
  body: JSON.stringify({
    __type: 'ResourceNotFoundException',
    message: "Secrets Manager can't find the specified secret value.",
  }),
};
