import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { closeServer, listenOnLoopback } from '../src/simulator/http.ts';

/** A real HTTP server on loopback, which stops with the test. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const baseUrl = await listenOnLoopback(server, 0);
  const stop = () => closeServer(server);
  onTestFinished(stop);
  return { baseUrl, stop };
}
