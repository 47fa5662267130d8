import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import autocannon from 'autocannon';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import type { LoadOptions } from './options.ts';
import type { Target } from './target.ts';

/** A response to a webhook. */
export interface Outcome {
  /** When it came: seconds since the start of the load. */
  readonly at: number;
  readonly milliseconds: number;
  readonly status: number;
}

export interface Load {
  readonly sent: ReadonlySet<string>;
  readonly acknowledged: ReadonlySet<string>;
  readonly outcomes: readonly Outcome[];
  /** Webhooks without a response: the connection failed, or the response took too long. */
  errors(): number;
}

export type Run = Pick<LoadOptions, 'seconds' | 'webhooks' | 'connections' | 'rate'>;

/** As long as a patient sender waits. */
const timeoutSeconds = 30;

/** Starts to send signed webhooks, each of an event and an order of its own. */
export function startLoad(target: Target, options: Run) {
  const key = createSigningKey(target.privateKey);
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()];
  const outcomes: Outcome[] = [];
  let errors = 0;
  const since = performance.now();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const run: autocannon.Options = {
    url: `${target.baseUrl}/webhooks/payments`,
    connections: options.connections,
    duration: options.seconds,
    timeout: timeoutSeconds,
    ...(options.webhooks !== undefined && { amount: options.webhooks }),
    ...(options.rate !== undefined && { overallRate: options.rate }),
    requests: [
      {
        method: 'POST',
        // One webhook at a time is under way on a connection, and the context is the connection's.
        setupRequest(request, context: { eventId?: string }) {
          const event = paidEvent({ orderId: `load-${sent.size + 1}` });
          const body = Buffer.from(bytesOf(event));
          context.eventId = event.id;
          sent.add(event.id);
          const headers = { 'content-type': 'application/json', [target.signatureHeader]: sign(key, body) };
          return { ...request, headers, body };
        },
        onResponse(status, _body, { eventId }: { eventId?: string }) {
          if (status === 202 && eventId !== undefined) acknowledged.add(eventId);
        },
      },
    ],
  };
  const instance = autocannon(run, (error) => (error ? reject(error) : resolve()));
  instance.on('response', (_client, status, _bytes, milliseconds) => {
    outcomes.push({ at: (performance.now() - since) / 1_000, milliseconds, status });
  });
  instance.on('reqError', () => {
    errors += 1;
  });
  const load: Load = { sent, acknowledged, outcomes, errors: () => errors };
  return { ...load, ended, stop: () => instance.stop() };
}
