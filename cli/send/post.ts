import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { oneLine } from '@payhooks/payment-service';
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
  readonly headers: Readonly<Record<string, string>>;
  readonly clientCertificate?: ClientCertificate | undefined;
}

/** One attempt, as the payment service makes it: a redirect is not followed. */
export async function post(delivery: Delivery): Promise<WebhookResponse> {
  const { url, body, headers, clientCertificate } = delivery;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(sendMilliseconds);
  try {
    const request = send(url, { method: 'POST', headers, signal, agent: false, ...clientCertificate });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: oneLine(await text(response), bodyCharactersMax) };
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

const meanings: Readonly<Record<number, string>> = {
  202: 'accepted: the event is stored',
  403: `refused: the verifier does not accept the key; it reads a new one within ${cooldown} s`,
  404: 'no webhook endpoint at this address',
  413: 'refused: the body is larger than 256 KiB',
  429: 'throttled: the payment service would deliver it again',
  503: 'a fault of the receiver: the payment service would deliver it again',
};

/** What a status means to the payment service, which delivers again whatever is not acknowledged. */
export function meaningOf(status: number): string {
  const meaning = meanings[status];
  if (meaning !== undefined) return meaning;
  if (isAccepted(status)) return 'acknowledged';
  if (status >= 300 && status < 400) return 'a redirect, which does not acknowledge';
  return 'not acknowledged: the payment service would deliver it again';
}
