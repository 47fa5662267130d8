import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { paidEvent } from '@payhooks/payment-service/simulator';
import { refusing } from './breaking.ts';
import type { Scenario } from './scenario.ts';
import { seeOrder } from './sights.ts';

export const malformedSecret: Scenario = {
  name: 'malformed-secret',
  title: 'The secret of the private keys was overwritten with text that is no key',
  alarm: 'WebhookServerErrors',
  async begin(stage) {
    const { clients, resources, keys } = stage.pipeline;
    const secret = { SecretId: resources.keySecretId, SecretString: '{"private_keys":' };
    await clients.secretsManager.send(new PutSecretValueCommand(secret));
    await stage.post(paidEvent({ orderId: stage.orderId }), { expected: '503' });
    return {
      async repair({ follow }) {
        for (const secret of [keys.live, keys.sandbox]) await follow('keys set', { secret });
      },
    };
  },
};

export const rotatedKey: Scenario = {
  name: 'rotated-key',
  title: 'The account has a new private key, which this stack does not know',
  alarm: 'WebhooksRefused',
  async begin(stage) {
    const privateKey = 'pri_drill_new';
    for (let count = 1; count <= 6; count += 1) {
      const event = paidEvent({ orderId: `${stage.orderId}-${count}` });
      await stage.post(event, { privateKey, expected: '403' });
    }
    return {
      repair: ({ follow }) => follow('keys add', { secret: privateKey }),
    };
  },
};

export const revokedKey: Scenario = {
  name: 'revoked-key',
  title: 'The KMS key of tables, queue and secrets was disabled',
  alarm: 'WebhookServerErrors',
  async begin(stage) {
    // The services forget the key one after the other, within five minutes.
    const tables = ['PutItem', 'UpdateItem', 'GetItem', 'BatchGetItem', 'Query', 'GetRecords'];
    const noTables = { status: 400, code: 'AccessDeniedException', operations: tables };
    const noSecrets = { status: 400, code: 'DecryptionFailure', operations: ['GetSecretValue'] };
    const noQueue = { status: 400, code: 'KmsDisabled', operations: ['SendMessage', 'ReceiveMessage'] };
    await stage.fail(refusing(stage, 'The key is enabled again: DynamoDB works.', 'dynamodb', noTables));
    await stage.post(paidEvent({ orderId: stage.orderId }));
    await stage.fail(refusing(stage, 'So does Secrets Manager.', 'secretsManager', noSecrets));
    await stage.fail(refusing(stage, 'So does SQS.', 'sqs', noQueue));
    // Never 403.
    await stage.post(paidEvent({ orderId: `${stage.orderId}-refused` }), { expected: '503' });
    return { end: () => seeOrder(stage, { status: 'paid' }) };
  },
};
