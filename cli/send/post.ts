import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { oneLine, redactionOf } from '@payhooks/payment-service';
import type { ClientCertificate } from '../../lambdas/contract/client-certificate.ts';
import { secretRereadCooldownSeconds } from '../../lambdas/contract/limits.ts';
import { reasonOf } from '../../operator/explain-error.ts';
import { sendMilliseconds } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';

export interface WebhookResponse {
  readonly status: number;
  /** The beginning of it. */
  readonly body: string;
}

const cooldown = secretRereadCooldownSeconds;
const bodyCharactersMax = 1_000;

export interface Delivery {
  readonly url: URL;
  readonly body: Uint8Array;
  readonly headers: Readonly<OutgoingHttpHeaders>;
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Cut out of the body of the response, which may repeat the request. */
  readonly secrets?: readonly string[];
}

/** One attempt, as the payment service makes it: a redirect is not followed. */
export async function post(delivery: Delivery): Promise<WebhookResponse> {
  const { url, body, headers, clientCertificate, secrets = [] } = delivery;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(sendMilliseconds);
  try {
    const request = send(url, { method: 'POST', headers, signal, agent: false, ...clientCertificate });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const shown = oneLine(redactionOf(secrets)(await text(response)), bodyCharactersMax);
    return { status: response.statusCode ?? 0, body: shown };
  } catch (cause) {
    const reason = signal.aborted ? `timeout after ${sendMilliseconds / 1_000} s` : reasonOf(cause);
    throw new CommandError('unreachable', `${url.origin} did not respond: ${reason}.${hintOf(url, cause)}`, {
      cause,
    });
  }
}

/** An endpoint that requires a client certificate closes the connection, often before its alert is read. */
function hintOf({ protocol }: URL, cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (protocol !== 'https:' || !/ALERT|^(EPROTO|EPIPE|ECONNRESET)$/.test(code)) return '';
  return ' If the endpoint requires a client certificate: --client-certificate FILE --client-key FILE.';
}

/** Only 2xx acknowledges (API document 6). */
export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** What a status means to the payment service, which delivers again whatever is not acknowledged. */
export function meaningOf(status: number): string {
  if (isAccepted(status)) return 'acknowledged';
  const reason =
    status === 403 ? `no key matches; a new one counts after ${cooldown} s` : 'it would be delivered again';
  return `not acknowledged: ${reason}`;
}
