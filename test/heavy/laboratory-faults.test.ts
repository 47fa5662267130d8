import { setTimeout as pause } from 'node:timers/promises';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { texts, useLaboratory } from '../local/laboratory/laboratory-scene.ts';
import { eventually, privateKey, sandboxKey } from '../local/pipeline/running-pipeline.ts';

const scene = useLaboratory();
const { faultBegins, get, run, viewOf } = scene;

// The tests run in this order on one pipeline.
describe('experiments with faults', () => {
  it('broken-database: what got 2xx under the fault is recorded after it', async () => {
    const ended = await run('broken-database');
    expect(texts(ended, 'sent')).toEqual(Array(5).fill('transaction.paid 15.00 USD → 202'));
    const prefix = ended.orderId.replace(/1$/, '');
    for (let number = 1; number <= 5; number += 1)
      expect(await get(`/orders/${prefix}${number}`)).toMatchObject({ status: 'paid' });
    expect(await scene.pipeline.deadLetters()).toBe(0);
  });

  it('stopped-consumer: events pile up in the queue and drain, and no fault runs at the same time', async () => {
    const ending = run('stopped-consumer');
    await faultBegins('stopped-consumer');
    expect(scene.laboratory.start('burst')).toEqual({
      ok: false,
      status: 409,
      detail: '"Stop the consumer" is running, and would disturb this experiment; wait for its end.',
    });
    await eventually(
      () => scene.pipeline.messagesIn(scene.pipeline.resources.eventQueueUrl),
      (depth) => depth >= 10,
    );
    const ended = await ending;
    expect(texts(ended, 'fault')).toHaveLength(2);
    await scene.pipeline.settled();
    const prefix = ended.orderId.replace(/1$/, '');
    expect(await get(`/orders/${prefix}10`)).toMatchObject({ status: 'paid' });
    expect(scene.laboratory.view().faults).toEqual([]);
  });

  it('key-rotation: the simulator signs with the new key meanwhile, and the first key is back after it', async () => {
    const ended = await run('key-rotation');
    expect(ended.seen).toContain('The former key got 403 after its end.');
    const SecretId = scene.pipeline.resources.keySecretId;
    const secret = await scene.pipeline.clients.secretsManager.send(new GetSecretValueCommand({ SecretId }));
    const { private_keys } = JSON.parse(secret.SecretString ?? '');
    expect(private_keys).toMatchObject([
      { key: privateKey },
      { accepted_until: expect.any(String) },
      { key: sandboxKey },
    ]);
    expect((await scene.pipeline.post(bytesOf(paidEvent({ orderId: 'after' })))).status).toBe(202);
    await scene.untilFiring('SignatureKeysExpired');
    expect(JSON.stringify(scene.laboratory.view())).not.toMatch(/pri_\w/);
  });

  it('a fault that is about to begin ends too when local mode stops', async () => {
    const other = scene.openAnother();
    other.start('stopped-consumer');
    await pause(50);
    await other.close();
    await scene.pipeline.post(bytesOf(paidEvent({ orderId: 'after-early-stop' })));
    expect(await scene.pipeline.order('after-early-stop')).toMatchObject({ status: 'paid' });
  });

  it('a fault ends when local mode stops, and the run shows why it ended', async () => {
    const start = scene.laboratory.start('stopped-consumer');
    await faultBegins('stopped-consumer');
    await scene.laboratory.close();
    expect(scene.laboratory.view().faults).toEqual([]);
    const view = start.ok ? viewOf(start.run.id) : undefined;
    expect(view).toMatchObject({ as_expected: false, seen: 'The run ended early: local mode was stopped.' });
    await scene.pipeline.post(bytesOf(paidEvent({ orderId: 'after-stop' })));
    expect(await scene.pipeline.order('after-stop')).toMatchObject({ status: 'paid' });
    expect(scene.laboratory.start('paid')).toMatchObject({ ok: false, detail: 'Local mode is stopping.' });
  });
});
