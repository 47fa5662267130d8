import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { createSend } from '../acceptance/questions.ts';
import type { Answer } from '../acceptance/target.ts';
import type { Certificate } from './certificate.ts';

export interface SecretsFront {
  readonly endpoint: string;
  close(): Promise<void>;
}

/**
 * Stands before MiniStack where the deployed functions ask Secrets Manager, and answers for a secret or a version
 * without a value as AWS does: it is not found, where MiniStack gives an empty one. All else passes unchanged, so
 * that signatures stay valid.
 */
export async function startSecretsFront(
  ministackEndpoint: string,
  certificate: Certificate,
): Promise<SecretsFront> {
  const send = createSend({ ca: certificate.ca });
  const key = await readFile(certificate.keyFile);
  const server = createServer({ key, cert: certificate.ca }, async (request, response) => {
    try {
      const body = await buffer(request);
      const answer = await send(`${ministackEndpoint}${request.url}`, body, request.headers);
      const mended = isRead(request.headers['x-amz-target']) && isEmpty(answer) ? notFound : answer;
      response.writeHead(mended.status, { 'content-type': 'application/x-amz-json-1.1' }).end(mended.body);
    } catch (error) {
      response.writeHead(502).end(String(error));
    }
  });
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    endpoint: `https://localhost:${new URL(address).port}`,
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

const isRead = (target: string | string[] | undefined): boolean => target === 'secretsmanager.GetSecretValue';

function isEmpty({ status, body }: Answer): boolean {
  if (status !== 200) return false;
  const { SecretString, SecretBinary } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return (SecretString ?? '') === '' && SecretBinary === undefined;
}

const notFound: Pick<Answer, 'status' | 'body'> = {
  status: 400,
  body: JSON.stringify({
    __type: 'ResourceNotFoundException',
    message: "Secrets Manager can't find the specified secret value.",
  }),
};
