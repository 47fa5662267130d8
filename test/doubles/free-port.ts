import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  await closeServer(server);
  return Number(new URL(url).port);
}
