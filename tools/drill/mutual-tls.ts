import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { closeServer, listen } from '@payhooks/cdk-local';

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Self-signed, so that each is its own authority. Node cannot make a certificate; `openssl` can. */
async function createCertificate(folder: string, name: string): Promise<Certificate> {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const made = `req -x509 -nodes -days 2 -subj /CN=${name} -newkey ec -pkeyopt ec_paramgen_curve:prime256v1`;
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1'];
  await promisify(execFile)('openssl', [...made.split(' '), ...names, '-keyout', key, '-out', cert]);
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

/** A domain with a trust store in front of local mode, and a payment service with a client certificate. */
export async function startMutualTls(baseUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'payhooks-drill-'));
  const create = (name: string): Promise<Certificate> => createCertificate(folder, name);
  const certificates = await Promise.all(['domain', 'payment-service', 'other-authority'].map(create));
  await rm(folder, { recursive: true });
  const [domain, sender, other] = certificates as [Certificate, Certificate, Certificate];
  // Like API Gateway, it completes the handshake with a certificate that it does not trust, and responds 403.
  const tls = { ...domain, requestCert: true, rejectUnauthorized: false };
  const front = createServer({ ...tls, ca: other.cert }, (incoming, response) =>
    pass(baseUrl, incoming, response),
  );
  const address = (await listen(front, { host: '127.0.0.1', port: 0 })).replace(/^http:/, 'https:');

  /** As the payment service sends: the name of the URL leads to the front. */
  async function send(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const { pathname } = new URL(String(input));
    const headers = Object.fromEntries(new Headers(init.headers));
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    // A new connection each time: an old one keeps the verdict on its certificate.
    const options = { ...sender, ca: domain.cert, method: 'POST', headers, agent: false as const };
    request(`${address}${pathname}`, options, resolve)
      .on('error', reject)
      .end(init.body as Uint8Array);
    const response = await promise;
    return new Response(await buffer(response), { status: response.statusCode ?? 0 });
  }

  return {
    send,
    /** Replaces the trust store by one with the authority of the payment service. */
    trustSender: (): void => front.setSecureContext({ ...domain, ca: sender.cert }),
    close: (): Promise<void> => closeServer(front),
  };
}

async function pass(baseUrl: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = new Uint8Array(await buffer(incoming));
  if (!(incoming.socket as TLSSocket).authorized) {
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"message":"Forbidden"}');
    return;
  }
  const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers;
  const passed = await fetch(`${baseUrl}${incoming.url}`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
  });
  response.writeHead(passed.status).end(await passed.text());
}
