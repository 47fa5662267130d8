import { createPaymentServiceClient, privateKeyAuthentication } from '@payhooks/payment-service';
import type { Simulator } from '@payhooks/payment-service/simulator';
import { shortId } from '../../operator/printable.ts';
import { demoEvents } from './steps.ts';

export interface RegistrationOptions {
  readonly baseUrl: string;
  readonly webhookUrl: string;
  readonly paymentService: Pick<Simulator, 'baseUrl' | 'registerWebhook'>;
  readonly privateKey: string;
  readonly signal: AbortSignal;
}

/**
 * Registers the webhook for live events through the API, and for sandbox events as the account's owner does
 * in the dashboard: the API takes no sandbox key (API document 5.2). Resolves with lines that show what was
 * done, and the command that does the same.
 */
export async function registerWebhooks(options: RegistrationOptions): Promise<readonly string[]> {
  const { baseUrl, webhookUrl: url, paymentService, privateKey, signal } = options;
  const client = createPaymentServiceClient({
    baseUrl: paymentService.baseUrl,
    authentication: privateKeyAuthentication(privateKey),
  });
  const live = await client.createWebhook({ url, enabled_events: demoEvents }, { signal });
  const sandbox = paymentService.registerWebhook({ url, enabledEvents: demoEvents, isLiveMode: false });
  // Without --local the command finds local mode at its default address.
  const local = baseUrl === 'http://127.0.0.1:4800' ? '' : ` --local ${baseUrl}`;
  return [
    `POST ${paymentService.baseUrl}/api/v2/webhooks → webhook ${shortId(live.id)} for live events`,
    `in the service's dashboard → webhook ${shortId(sandbox.id)} for sandbox events`,
    `npx payhooks webhooks register --events ${demoEvents.join(',')}${local}`,
  ];
}
