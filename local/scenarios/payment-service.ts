import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import {
  createPaymentServiceClient,
  createTokenExchange,
  privateKeyAuthentication,
} from '@payhooks/payment-service';
import { paidEvent } from '@payhooks/payment-service/simulator';
import { parseTokenSecret } from '../../lambdas/contract/token-secret.ts';
import type { Scenario } from './scenario.ts';

const minutesPerHour = 60;

export const deletedRegistration: Scenario = {
  name: 'deleted-registration',
  title: 'The webhook was deleted at the payment service',
  alarm: 'WebhookAuditFindings',
  minutes: 1,
  async begin({ pipeline }) {
    const { baseUrl } = pipeline.simulator;
    const authentication = privateKeyAuthentication(pipeline.keys.live);
    const client = createPaymentServiceClient({ baseUrl, authentication });
    for await (const { id } of client.allWebhooks()) await client.deleteWebhook(id);
    return {
      repair: ({ follow }) => follow('webhooks register'),
    };
  },
};

export const spentToken: Scenario = {
  name: 'spent-token',
  title: 'Another program has used the refresh token, and the access token expires',
  alarm: 'RotationFailed',
  minutes: 2 * minutesPerHour,
  // An audit waits long for a token that cannot be renewed.
  minutesPerStep: 2 * minutesPerHour,
  async begin({ pipeline }) {
    const { tokenSecretId: SecretId = '' } = pipeline.resources;
    const secret = await pipeline.clients.secretsManager.send(new GetSecretValueCommand({ SecretId }));
    const { clientId, clientSecret, refreshToken } = parseTokenSecret(secret.SecretString ?? '');
    const exchange = createTokenExchange({ baseUrl: pipeline.simulator.baseUrl, clientId, clientSecret });
    const renewed = await exchange(refreshToken);
    return {
      async repair({ follow, say }) {
        say('The owner of the account gets a new refresh token.');
        const env = {
          PAYHOOKS_OAUTH_CLIENT_ID: clientId,
          PAYHOOKS_OAUTH_CLIENT_SECRET: clientSecret,
          PAYHOOKS_OAUTH_REFRESH_TOKEN: renewed.refresh_token,
        };
        await follow('token set', { env });
        await follow('token refresh');
      },
    };
  },
};

export const silence: Scenario = {
  name: 'silence',
  title: 'The payment service delivers nothing for seven hours',
  alarm: 'WebhooksSilent',
  minutes: 7 * minutesPerHour,
  begin: async (stage) => ({
    repair: ({ follow }) => follow('webhooks audit'),
    end: () => stage.post(paidEvent({ orderId: stage.orderId })),
  }),
};
