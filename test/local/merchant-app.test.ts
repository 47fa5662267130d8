import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eventBody } from '../doubles/event-body.ts';
import { eventually, runPipeline } from './pipeline/running-pipeline.ts';

it("a webhook makes an order paid in a merchant's app, without reaching what is shared with AWS", async () => {
  const sentences: string[] = [];
  const pipeline = await runPipeline({
    project: join(import.meta.dirname, 'merchant-app'),
    onProgress: (sentence) => sentences.push(sentence),
  });
  const { operations, order, post, baseUrl, runSchedules, stop } = pipeline;
  onTestFinished(stop);
  expect(sentences.at(-1)).toMatch(
    /^Left out, .* AWS::DynamoDB::Table \(1\), .* AWS::S3::Bucket \(1\), .* the stack Prod-Reports\.$/,
  );
  expect((await post(eventBody({ id: 'p', order: 'order-1' }))).status).toBe(202);
  await order('order-1', ({ status }) => status === 'paid');
  expect(await operations.waiting()).toMatchObject({ events: [] });
  await runSchedules();
  // The audit calls the simulator, with a token of it, and finds nothing registered.
  const alarms = async () =>
    (await (await fetch(`${baseUrl}/alarms`)).json()) as { name: string; state: string }[];
  const namesOn = async () =>
    (await alarms()).flatMap(({ name, state }) => (state === 'ALARM' ? [name] : []));
  await eventually(namesOn, (names) => names.includes('WebhookAuditFindings'));
  expect(await namesOn()).toEqual(['WebhookAuditFindings']);
});
