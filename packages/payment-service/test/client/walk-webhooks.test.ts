import { describe, expect, it } from 'vitest';
import type { Webhook } from '../../src/client/index.ts';
import { pageJson, type Received, startClient, uuid, webhookJson } from './service.ts';

/** A list, the most recent first, that `change` alters before each request. */
function listOf(numbers: number[], change: (numbers: number[], request: number) => void = () => undefined) {
  let requests = 0;
  return ({ url }: Received) => {
    change(numbers, ++requests);
    const query = new URL(url, 'http://localhost').searchParams;
    const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))];
    const data = numbers.slice((page - 1) * limit, page * limit).map((number) => webhookJson(number));
    const last_page = Math.max(1, Math.ceil(numbers.length / limit));
    const pagination = { current_page: page, per_page: limit, total: numbers.length, last_page };
    return { json: pageJson(data, pagination) };
  };
}

async function numbersOf(webhooks: AsyncIterable<Webhook>): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { id } of webhooks) numbers.push(Number(id.slice(-12)));
  return numbers;
}

describe('the walk over all webhooks', () => {
  it.each([
    [0, [1]],
    [120, [1, 2, 3]],
  ])('4.1 reads %i webhooks page after page, 50 at a time', async (length, pages) => {
    const numbers = Array.from({ length }, (_, index) => length - index);
    const { client, received } = await startClient({}, listOf(numbers));
    expect(await numbersOf(client.allWebhooks())).toEqual(numbers);
    const urls = pages.map((page) => `/api/v2/webhooks?page=${page}&limit=50`);
    expect(received.map(({ url }) => url)).toEqual(urls);
  });

  it('4.1 yields none twice when new ones push the others to later pages', async () => {
    const push = (numbers: number[], request: number) => request > 1 && numbers.unshift(10 + request);
    const { client } = await startClient({}, listOf([4, 3, 2, 1], push));
    expect(await numbersOf(client.allWebhooks({ limit: 2 }))).toEqual([4, 3, 2, 1]);
  });

  it('4.1 misses none when a removal pulls the others to earlier pages', async () => {
    const pull = (numbers: number[], request: number) => request === 2 && numbers.shift();
    const { client } = await startClient({}, listOf([5, 4, 3, 2, 1], pull));
    expect((await numbersOf(client.allWebhooks({ limit: 2 }))).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('4.1 begins again until it has seen the total, when the order changes with each request', async () => {
    const numbers = Array.from({ length: 120 }, (_, index) => index);
    const turn = (all: number[]) => all.unshift(...all.splice(83));
    const { client, received } = await startClient({}, listOf(numbers, turn));
    const found = await numbersOf(client.allWebhooks());
    expect([found.length, new Set(found).size]).toEqual([120, 120]);
    expect(received.length).toBeGreaterThan(3);
  });

  it('4.1 fails when ten walks have seen fewer webhooks than the total', async () => {
    const { client, received } = await startClient({}, { json: pageJson([webhookJson(1)], { total: 3 }) });
    await expect(numbersOf(client.allWebhooks())).rejects.toThrow(
      '$.pagination.total is 3; expected as many webhooks as 10 walks over the list found, 1.',
    );
    expect(received).toHaveLength(10);
  });

  it('4.1 passes over an unreadable row once, and hands it to the caller', async () => {
    const rows = { json: pageJson([webhookJson(1, { url: 7 }), 'x', webhookJson(2), webhookJson(3)]) };
    const { client } = await startClient({}, rows);
    const unreadable: unknown[] = [];
    const onUnreadable = ({ id }: { readonly id: string | null }) => void unreadable.push(id);
    expect(await numbersOf(client.allWebhooks({ onUnreadable }))).toEqual([2, 3]);
    expect(unreadable).toEqual([uuid(1), null]);
  });

  it('2.2 gives up on a list that does not end', async () => {
    let next = 1;
    const endless = ({ url }: Received) => {
      const current_page = Number(new URL(url, 'http://localhost').searchParams.get('page'));
      const json = pageJson([webhookJson(next++)], { current_page, last_page: current_page + 1 });
      return { json };
    };
    const { client, received } = await startClient({}, endless);
    await expect(numbersOf(client.allWebhooks({ requestsMax: 4 }))).rejects.toThrow(
      'In the response of listWebhooks $.pagination.last_page is further on; ' +
        'expected the end of the list within 4 requests.',
    );
    expect(received).toHaveLength(4);
  });

  it('4.1 stops with the reason of the signal, between two webhooks and before a request', async () => {
    const { client, received } = await startClient({}, listOf([2, 1]));
    const stop = new AbortController();
    const seen: string[] = [];
    const walk = async () => {
      for await (const { id } of client.allWebhooks({ signal: stop.signal })) {
        seen.push(id);
        stop.abort(new Error('enough'));
      }
    };
    await expect(walk()).rejects.toThrow('enough');
    expect(seen).toEqual([uuid(2)]);
    await expect(client.allWebhooks({ signal: stop.signal }).next()).rejects.toThrow('enough');
    expect(received).toHaveLength(1);
  });
});
