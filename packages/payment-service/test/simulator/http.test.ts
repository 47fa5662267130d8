import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { closeServer, listenOnLoopback } from '../../src/simulator/http.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { runSimulator } from './running-simulator.ts';

const accounts = [{ name: 'shop', privateKey: 'pri_live' }];

it('the server of a simulator listens on 127.0.0.1 and on no other address', async () => {
  const server = createServer();
  onTestFinished(() => closeServer(server));
  const baseUrl = await listenOnLoopback(server, 0);
  expect(server.address()).toMatchObject({ address: '127.0.0.1', port: Number(new URL(baseUrl).port) });
});

it('a simulator rejects when its port is taken, and leaves the port when it stops', async () => {
  const { baseUrl, stop } = await runSimulator();

  const other = createSimulator({ accounts, port: Number(new URL(baseUrl).port) });
  await expect(other).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await stop();
  await expect(fetch(baseUrl)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

it('a simulator that cannot respond closes the connection', async () => {
  const clock = () => {
    throw new Error('no time');
  };
  const { request } = await runSimulator({ accounts, clock });
  const body = { url: 'https://shop.example/hook', enabled_events: ['transaction.paid'] };
  await expect(request('POST /api/v2/webhooks', { body })).rejects.toMatchObject({ code: 'ECONNRESET' });
});
