import { setTimeout as pause } from 'node:timers/promises';
import { oneLine, redactionOf } from '@payhooks/payment-service';
import { EventNotFoundError, type OrderClient } from '../../../client/index.ts';
import { signRawPath } from '../../aws/raw-path-signature.ts';
import { fieldsOf, parseJson } from '../../json-text.ts';
import {
  answerCharactersMax,
  followMilliseconds,
  followPollMilliseconds,
  smokeSettleMilliseconds,
  smokeSettlePollMilliseconds,
} from '../../limits.ts';
import { openOrderQuery } from '../../order-query.ts';
import { outputOf } from '../../target/stack.ts';
import type { Deployment } from '../deployment.ts';
import { signatureOf } from '../webhook.ts';
import type { AnyQuestion, BodyQuestion, PathQuestion } from './question.ts';
import { exchange, type WireAnswer } from './wire.ts';

/** What was answered to a question, as it is written down. */
export type Answered =
  | {
      readonly answered: true;
      readonly status: number;
      /** Whose words the body is. */
      readonly from: 'payhooks' | 'the gateway';
      readonly body: string;
      readonly stored: Stored | null;
      /** For an order id: whether the order that was found is the one that was asked for. */
      readonly same_order?: boolean;
    }
  | { readonly answered: false; readonly why: string };

/** What the pipeline has of an accepted body. */
export interface Stored {
  readonly outcome: string;
  readonly byte_exact: boolean;
}

export interface Asking {
  readonly deployment: Deployment;
  /** A sandbox key that the stack accepts. */
  readonly key: string;
}

export function answerTo(asking: Asking, question: AnyQuestion): Promise<Answered> {
  return question.kind === 'body' ? answerToBody(asking, question) : answerToPath(asking, question);
}

async function answerToBody(asking: Asking, question: BodyQuestion): Promise<Answered> {
  const { body, eventId } = question;
  const answer = await deliver(asking, question);
  if (!answer.answered) return answer;
  if (answer.status !== 202 || eventId === undefined) return told(asking, answer, body);
  const stored = await storedUnder(openOrderQuery(asking.deployment.stack), eventId, body);
  if (stored === undefined) return { answered: false, why: 'it was accepted, and not stored in time' };
  return { ...told(asking, answer, body), stored };
}

async function answerToPath(asking: Asking, question: PathQuestion): Promise<Answered> {
  const { deployment } = asking;
  const delivered = await deliver(asking, { ...question, ...plainDelivery });
  if (!delivered.answered) return delivered;
  const { stack } = deployment;
  const stored =
    delivered.status === 202
      ? await storedUnder(openOrderQuery(stack), question.eventId, question.body)
      : undefined;
  if (stored === undefined) {
    return { answered: false, why: `its event was answered ${delivered.status} and is not stored` };
  }
  const answer = await lookUp(asking, question);
  if (!answer.answered) return answer;
  const found = fieldsOf(parseJson(answer.body))['order_id'];
  const same = answer.status === 200 ? { same_order: found === question.orderId } : {};
  return { ...told(asking, answer, question.body), stored, ...same };
}

/** An event is stored a moment before its order tells of it, so that a 404 is asked again. */
async function lookUp({ deployment: { stack } }: Asking, { segment }: PathQuestion): Promise<WireAnswer> {
  const baseUrl = new URL(outputOf(stack, 'OrderQueryUrl'));
  const path = `${baseUrl.pathname.replace(/\/$/, '')}/orders/${segment}`;
  const query = 'mode=sandbox';
  const until = performance.now() + smokeSettleMilliseconds;
  for (;;) {
    const signed =
      stack.localUrl === undefined ? await signRawPath(baseUrl, { path, query, region: stack.region }) : {};
    const headers = Object.entries(signed).filter(([name]) => name !== 'host');
    const answer = await exchange({ url: baseUrl, path: `${path}?${query}`, method: 'GET', headers });
    const mayCome = answer.answered && answer.status === 404 && performance.now() < until;
    if (!mayCome) return answer;
    await pause(smokeSettlePollMilliseconds);
  }
}

const plainDelivery = { contentType: 'application/json', headers: [], signatureHeader: 'once' } as const;

type Delivery = Pick<BodyQuestion, 'body' | 'contentType' | 'headers' | 'signatureHeader'> &
  Pick<Partial<BodyQuestion>, 'chunkBytes' | 'waitsForContinue'>;

function deliver({ deployment, key }: Asking, delivery: Delivery): Promise<WireAnswer> {
  const { body, contentType, signatureHeader, chunkBytes, waitsForContinue } = delivery;
  const url = new URL(outputOf(deployment.stack, 'WebhookUrl'));
  const name = outputOf(deployment.stack, 'SignatureHeader');
  const signed = [signatureHeader === 'mixed case' ? mixedCase(name) : name, signatureOf(key, body)] as const;
  return exchange({
    url,
    path: url.pathname,
    method: 'POST',
    headers: [
      ...(contentType === undefined ? [] : [['Content-Type', contentType] as const]),
      ...delivery.headers,
      ...(signatureHeader === 'twice' ? [signed, signed] : [signed]),
    ],
    body,
    clientCertificate: deployment.clientCertificate,
    ...(chunkBytes !== undefined && { chunkBytes }),
    ...(waitsForContinue && { waitsForContinue }),
  });
}

/** As no sender would write it: x-SeRvIcE-sIgNaTuRe. */
const mixedCase = (name: string): string =>
  Array.from(name, (letter, index) => (index % 2 === 0 ? letter.toLowerCase() : letter.toUpperCase())).join(
    '',
  );

/** The event as the order query gives it back; `undefined` when it does not in time. */
async function storedUnder(
  orders: OrderClient,
  eventId: string,
  body: Uint8Array,
): Promise<Stored | undefined> {
  const until = performance.now() + followMilliseconds;
  while (performance.now() < until) {
    const event = await orders.event(eventId, { mode: 'sandbox' }).catch((error: unknown) => {
      if (error instanceof EventNotFoundError) return undefined;
      throw error;
    });
    if (event !== undefined) {
      const byteExact = event.body_base64 === Buffer.from(body).toString('base64');
      return { outcome: event.outcome, byte_exact: byteExact };
    }
    await pause(followPollMilliseconds);
  }
  return undefined;
}

/** Nothing of an answer is a secret, as long as nobody quotes what was sent. */
function told(
  { key }: Asking,
  { status, contentType, body }: WireAnswer & { readonly answered: true },
  sent: Uint8Array,
): Answered & { readonly answered: true } {
  const redact = redactionOf([key, signatureOf(key, sent)]);
  const from = isOurs(contentType, body) ? 'payhooks' : 'the gateway';
  return { answered: true, status, from, body: redact(oneLine(body, answerCharactersMax)), stored: null };
}

const ourMessages = /^(Invalid signature|The body exceeds \d+ bytes|Service unavailable)$/;

function isOurs(contentType: string | null, body: string): boolean {
  if (contentType?.startsWith('application/problem+json')) return true;
  const fields = fieldsOf(parseJson(body));
  return (
    fields['status'] === 'accepted' ||
    typeof fields['order_id'] === 'string' ||
    ourMessages.test(String(fields['message']))
  );
}
