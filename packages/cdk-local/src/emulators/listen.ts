import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts listening and gives the base URL. Rejects with the system's error, for example `EADDRINUSE`. */
export async function listen(server: Server, at: { host: string; port: number }): Promise<string> {
  // `once` rejects when 'error' comes first.
  const listening = once(server, 'listening');
  server.listen(at.port, at.host);
  await listening;
  const { port } = server.address() as AddressInfo;
  return `http://${at.host}:${port}`;
}

/** Stops listening and ends idle and open connections; resolves when the server holds nothing any more. */
export async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
  });
  server.closeAllConnections();
  await closed;
}
