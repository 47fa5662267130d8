import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { paidEvent } from '@payhooks/payment-service/simulator';
import type { Drill } from '../drill.ts';
import { check } from '../expectation.ts';

export const malformedSecret: Drill = {
  name: 'malformed-secret',
  fault: 'The secret of the private keys was overwritten with text that is no key.',
  alarm: 'WebhookServerErrors',
  async begin({ secretsManager, pipeline, deliver, privateKey }) {
    const SecretId = pipeline.resources.keySecretId;
    await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString: '{"private_keys":' }));
    const status = await deliver(paidEvent({ orderId: 'drill-secret' }), privateKey);
    check(status === 503, `a webhook gets 503 while the keys are not known, not ${status}`);
  },
  async repair({ follow, privateKey }) {
    await follow('WebhookServerErrors', 'keys set', {}, { secret: privateKey });
  },
};

export const rotatedKey: Drill = {
  name: 'rotated-key',
  fault: 'The account has a new private key, which this stack does not know.',
  alarm: 'SignatureMismatches',
  async begin({ deliver }) {
    for (let count = 1; count <= 6; count += 1) {
      const status = await deliver(paidEvent({ orderId: `drill-rotated-${count}` }), 'pri_drill_new');
      check(status === 403, 'a webhook that the new key has signed gets 403');
    }
  },
  async repair({ follow }) {
    await follow('SignatureMismatches', 'keys add', {}, { secret: 'pri_drill_new' });
  },
};
