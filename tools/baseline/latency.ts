import { setTimeout as wait } from 'node:timers/promises';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { startPipeline } from '../../local/pipeline/pipeline.ts';
import { table } from '../cost-model/documents.ts';
import { signatureHeader } from '../cost-model/production.ts';
import { median } from './cpu-time.ts';

const webhooks = 50;
/** For all of them; an event that never arrives ends the benchmark. */
const millisecondsMax = 120_000;

/** From one webhook at a time, in local mode with the deployed defaults; few find a cold function. */
export async function latencyTable(): Promise<string> {
  const { baseUrl, keys, stop } = await startPipeline({ port: 0, onLine: () => {}, onProgress: () => {} });
  try {
    const signal = AbortSignal.timeout(millisecondsMax);
    const feed = (await fetch(`${baseUrl}/feed`, { signal })).body
      ?.pipeThrough(new TextDecoderStream())
      .getReader();
    const key = createSigningKey(keys.live);
    const accepted = async (orderId: string): Promise<void> => {
      const body = bytesOf(paidEvent({ orderId }));
      const headers = { 'content-type': 'application/json', [signatureHeader]: sign(key, body) };
      const { status } = await fetch(`${baseUrl}/webhooks/payments`, { method: 'POST', headers, body });
      if (status !== 202) throw new Error(`The webhook got ${status}.`);
    };
    const visible = async (orderId: string): Promise<void> => {
      while ((await fetch(`${baseUrl}/orders/${orderId}`, { signal })).status !== 200) await wait(5);
    };
    const published = async (orderId: string): Promise<void> => {
      for (let text = ''; !text.includes(`"${orderId}"`); ) {
        const { done = true, value = '' } = (await feed?.read()) ?? {};
        if (done) throw new Error('The feed has ended.');
        text += value;
      }
    };
    const moments = {
      'its response': accepted,
      '`GET /orders/{order_id}` shows the order': visible,
      'the bus has its event': published,
    };
    const times: number[][] = [];
    for (let n = 0; n < webhooks; n += 1) {
      const start = performance.now();
      const seen = Object.values(moments).map((moment) => moment(`order-${n}`));
      times.push(await Promise.all(seen.map((one) => one.then(() => performance.now() - start))));
    }
    return table(
      'from a webhook to | p50, ms',
      Object.keys(moments).map((title, index) => [
        title,
        median(times.map((taken) => taken[index] ?? Number.NaN)).toFixed(0),
      ]),
    );
  } finally {
    await stop();
  }
}
