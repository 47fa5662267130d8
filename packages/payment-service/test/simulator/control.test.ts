import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeServer, listenOnLoopback } from '../../src/simulator/http.ts';
import { paidWebhook, runReceiver, runSimulator } from './running-simulator.ts';

const body = '{"order_id":"order-1"}';

describe('the control of the simulator', () => {
  it('sends a sample event with the given fields', async () => {
    const { url, received } = await runReceiver(202);
    const { request, registerWebhook, deliveries } = await runSimulator();
    registerWebhook({ ...paidWebhook(url, false), enabledEvents: ['transaction.refunded'] });
    const ids = { event_id: 'e1', order_id: 'order-1', transaction_id: 't1' };
    const money = { amount: '5.00', currency: 'EUR' };
    const body = { ...ids, ...money, event_name: 'transaction.refunded', sandbox: true };
    const response = await request('POST /simulator/events', { body });
    expect(response.status).toBe(202);
    expect(deliveries()).toHaveLength(1);
    await expect.poll(() => received[0]?.body).toBe(response.text);
    expect(response.json).toMatchObject({
      id: 'e1',
      event_name: 'transaction.refunded',
      sandbox: true,
      payload: { transaction: { id: 't1', order_id: 'order-1', amount: '5.00', currency: 'EUR' } },
    });
  });

  it.each([
    [{}, 'order_id'],
    [{ order_id: 'o', event_name: 'paid' }, 'event_name'],
    [{ order_id: 'o', orderid: 'o' }, 'orderid'],
    ['no JSON', 'order_id'],
  ])('refuses %j and names the field', async (body, field) => {
    const { request } = await runSimulator();
    const errors = { [field]: [expect.any(String)] };
    expect(await request('POST /simulator/events', { body })).toMatchObject({
      status: 422,
      json: { errors },
    });
  });

  it('refuses requests of web pages', async () => {
    const events = `${(await runSimulator()).baseUrl}/simulator/events`;
    const statusFor = async (site: string) =>
      (await fetch(events, { method: 'POST', body, headers: { 'sec-fetch-site': site } })).status;
    const sites = ['cross-site', 'same-site', 'same-origin', 'none'];
    expect(await Promise.all(sites.map(statusFor))).toEqual([403, 403, 202, 202]);
  });

  it.each([
    ['localhost:4810', 202],
    ['127.100.20.3:80', 202],
    ['[::1]:4810', 202],
    ['notlocalhost', 403],
    ['localhost.shop.example', 403],
    ['127.0.0.1.shop.example:4810', 403],
  ])('responds to a request for the host %s with %i', async (host, status) => {
    const { baseUrl } = await runSimulator();
    // `fetch` does not let a caller choose a Host.
    const options = { method: 'POST', setHost: false, headers: { host } };
    const outgoing = httpRequest(`${baseUrl}/simulator/events`, options).end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });

  it('listens on 127.0.0.1 and on no other address', async () => {
    const server = createServer();
    onTestFinished(() => closeServer(server));
    const baseUrl = await listenOnLoopback(server, 0);
    expect(server.address()).toMatchObject({ address: '127.0.0.1', port: Number(new URL(baseUrl).port) });
  });
});
