import { secretRereadCooldownSeconds } from '../../lambdas/limits.ts';
import { oneLine } from '../../lambdas/payments/redaction.ts';
import { sendMilliseconds } from '../limits.ts';
import { CommandError, reasonOf } from '../outcome.ts';

export interface Answer {
  readonly status: number;
  /** The beginning of it. */
  readonly body: string;
}

const cooldown = secretRereadCooldownSeconds;
const answerCharactersMax = 1_000;

/** One attempt, as the payment service makes it: a redirect is an answer and not followed. */
export async function post(
  url: URL,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(sendMilliseconds);
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: Uint8Array.from(body),
      redirect: 'manual',
      signal,
    });
    return { status: response.status, body: oneLine(await response.text(), answerCharactersMax) };
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    const reason = isLate ? `none within ${sendMilliseconds / 1_000} s` : reasonOf(cause);
    throw new CommandError('unreachable', `${url.origin} gave no answer: ${reason}.`, { cause });
  }
}

/** Only 2xx acknowledges (API document 6). */
export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

const meanings: Readonly<Record<number, string>> = {
  202: 'stored: it will be recorded',
  403: `refused: signed with no key that the verifier knows; it learns of a new one within ${cooldown} s`,
  404: 'not the address of a webhook endpoint',
  413: 'refused: the body is larger than 256 KiB',
  429: 'throttled: the payment service would deliver it again',
  503: 'a fault of the receiver: the payment service would deliver it again',
};

/** What an answer means to the payment service. */
export function meaningOf(status: number): string {
  const meaning = meanings[status];
  if (meaning !== undefined) return meaning;
  if (isAccepted(status)) return 'acknowledged';
  if (status >= 300 && status < 400) return 'a redirect, which does not acknowledge';
  return 'not acknowledged: the payment service would deliver it again';
}
