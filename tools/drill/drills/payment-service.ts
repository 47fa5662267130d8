import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import {
  createPaymentServiceClient,
  createTokenExchange,
  privateKeyAuthentication,
} from '@payhooks/payment-service';
import { paidEvent } from '@payhooks/payment-service/simulator';
import { parseTokenSecret, type TokenSecret } from '../../../lambdas/contract/token-secret.ts';
import type { Drill } from '../drill.ts';
import { check } from '../expectation.ts';
import type { Scene } from '../scene.ts';

const minutesPerHour = 60;

export function clientOf({ pipeline, privateKey }: Scene) {
  const authentication = privateKeyAuthentication(privateKey);
  return createPaymentServiceClient({ baseUrl: pipeline.simulator.baseUrl, authentication });
}

export const deletedRegistration: Drill = {
  name: 'deleted-registration',
  fault: 'The webhook was deleted at the payment service.',
  alarm: 'WebhookNotRegistered',
  async begin(scene) {
    const client = clientOf(scene);
    for await (const { id } of client.allWebhooks()) await client.deleteWebhook(id);
    await scene.passMinutes(1);
  },
  async repair({ follow }) {
    await follow('WebhookNotRegistered', 'webhooks register');
  },
};

/** Another program renews the tokens, and keeps the new ones for itself. */
async function spendToken({ pipeline, secretsManager }: Scene): Promise<TokenSecret> {
  const { tokenSecretId: SecretId = '' } = pipeline.resources;
  const { SecretString = '' } = await secretsManager.send(new GetSecretValueCommand({ SecretId }));
  const { clientId, clientSecret, refreshToken } = parseTokenSecret(SecretString);
  const exchange = createTokenExchange({ baseUrl: pipeline.simulator.baseUrl, clientId, clientSecret });
  const renewed = await exchange(refreshToken);
  return { clientId, clientSecret, refreshToken: renewed.refresh_token };
}

function createSpentToken(): Drill {
  let owned: TokenSecret | undefined;
  return {
    name: 'spent-token',
    fault: 'Another program has used the refresh token, and the access token expires.',
    alarm: 'TokenRefreshFailed',
    async begin(scene) {
      owned = await spendToken(scene);
      // In one step: an audit waits long for a token that cannot be renewed.
      await scene.passMinutes(2 * minutesPerHour, 2 * minutesPerHour);
    },
    async repair({ follow, say }) {
      say('The owner of the account gets a new refresh token.');
      const env = {
        PAYHOOKS_OAUTH_CLIENT_ID: owned?.clientId ?? '',
        PAYHOOKS_OAUTH_CLIENT_SECRET: owned?.clientSecret ?? '',
        PAYHOOKS_OAUTH_REFRESH_TOKEN: owned?.refreshToken ?? '',
      };
      await follow('TokenRefreshFailed', 'token set', {}, { env });
      await follow('TokenRefreshFailed', 'token refresh');
    },
  };
}

export const spentToken = createSpentToken();

export const silence: Drill = {
  name: 'silence',
  fault: 'The payment service delivers nothing for seven hours.',
  alarm: 'WebhooksSilent',
  async begin({ passMinutes }) {
    await passMinutes(7 * minutesPerHour);
  },
  async repair({ follow, deliver, privateKey }) {
    await follow('WebhooksSilent', 'webhooks audit');
    check(
      (await deliver(paidEvent({ orderId: 'drill-silence' }), privateKey)) === 202,
      'a webhook is accepted',
    );
  },
};
