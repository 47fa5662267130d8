import { paidEvent } from '@payhooks/payment-service/simulator';
import type { Drill } from '../drill.ts';
import { check } from '../expectation.ts';
import { startMutualTls } from '../mutual-tls.ts';
import { clientOf } from './payment-service.ts';

const order = 'drill-authority';

function createWrongClientAuthority(): Drill {
  let trustSender = (): void => {};
  return {
    name: 'wrong-client-ca',
    fault: 'The trust store of the domain has another authority than the certificate of the payment service.',
    alarm: 'WebhookUnreachable',
    async begin({ pipeline, deliver, privateKey, deliverThrough, until, passMinutes }) {
      const before = paidEvent({ orderId: 'drill-before-authority' });
      check((await deliver(before, privateKey)) === 202, 'webhooks arrive before the change');
      const front = await startMutualTls(pipeline.baseUrl);
      trustSender = front.trustSender;
      deliverThrough(front.send, front.close);
      const { simulator } = pipeline;
      void simulator.emit(paidEvent({ orderId: order, eventId: 'drill-authority-event' }));
      await until(
        async () => simulator.deliveries().at(-1)?.delivery.attempts.length ?? 0,
        (attempts) => attempts >= 3,
        'the payment service has tried three times',
      );
      await passMinutes(1);
    },
    async repair(scene) {
      const { follow, say, get, until } = scene;
      await follow('WebhookUnreachable', 'webhooks list');
      for await (const { id } of clientOf(scene).allWebhooks()) {
        const { output } = await follow('WebhookUnreachable', 'webhooks history', { ID: id });
        check(output.includes('403'), 'the history shows what the attempts got');
      }
      say('The trust store with the right authority is uploaded, and its version deployed.');
      trustSender();
      const recorded = await until(
        () => get(`/orders/${order}`),
        ({ ok }) => ok,
        'the payment service delivers the event again',
      );
      const { events } = (await recorded.json()) as { readonly events: readonly unknown[] };
      check(events.length === 1, 'the event counts once in its order');
    },
  };
}

export const wrongClientAuthority = createWrongClientAuthority();
