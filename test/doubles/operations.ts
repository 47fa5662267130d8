import { expect } from 'vitest';
import { createClassify } from '../../lambdas/consumer/receive.ts';
import type { ActName } from '../../lambdas/contract/act-names.ts';
import { createMeaningOf, type Meaning } from '../../lambdas/domain/assumptions.ts';
import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import { createForgeryCheck } from '../../lambdas/http-api/own-requests.ts';
import type { OperationsParts } from '../../lambdas/operations/act.ts';
import { createOperations } from '../../lambdas/operations/routes.ts';
import { type ConsumerSetUp, setUpConsumer } from './consumer.ts';
import { meaningOf } from './fold.ts';
import { type GatewayRequest, gatewayEvent, ownApi, proof } from './gateway-event.ts';
import { memoryReceipts, memoryWaiting } from './memory-indexes.ts';
import type { createMemoryTables, Hooks } from './memory-store.ts';
import type { SentBody } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

type MemoryTables = ReturnType<typeof createMemoryTables>;

/** The operations API over tables in memory; no key has been used. */
export function operationsOver(
  tables: MemoryTables,
  { hooks, ...parts }: Partial<OperationsParts> & { readonly hooks?: Hooks } = {},
): HttpApi {
  const over = {
    ...tables.open(hooks),
    keyUses: { keyUses: async () => [] },
    waiting: memoryWaiting(tables),
    receipts: memoryReceipts(tables),
    classify: createClassify(meaningOf),
    meaningOf,
    meaningsId: 'built-in',
    approvals: new Set<ActName>(),
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-21T12:00:00.000Z'),
    pause: async () => {},
    telemetry: recordTelemetry(),
    ...parts,
  };
  return createOperations(over, createForgeryCheck({ ownApi, readProof: async () => proof }));
}

export interface OperatorSetUp extends ConsumerSetUp {
  /** How long each request comes after the one before; by default nothing is young any more. */
  readonly paceSeconds?: number;
}

/** Of a request: who sends it, and what happens to its calls of the tables. */
export interface Sender {
  readonly by?: string;
  readonly hooks?: Hooks;
}

/** Bob, while another actor does this work in the moment before the first commit of his request. */
export function meanwhile(work: () => Promise<unknown>): Sender {
  let isDone = false;
  const gate: Hooks['gate'] = async ({ name }) => {
    if (name !== 'commit' || isDone) return;
    isDone = true;
    await work();
  };
  return { by: bob, hooks: { gate } };
}

export const ann = 'arn:aws:iam::1:user/ann';
export const bob = 'arn:aws:iam::1:user/bob';
export const reason = 'checked with the customer';

/** An operator at work on what a consumer has stored. */
export function setUpOperator({ paceSeconds = 3_600, ...setUp }: OperatorSetUp = {}) {
  const consumer = setUpConsumer(setUp);
  const { tables, settings, release, clock } = consumer;
  const meanings = { meaningOf, meaningsId: 'built-in' };
  const approvals = new Set<ActName>();

  async function send(request: GatewayRequest, { by = ann, hooks }: Sender = {}) {
    const api = operationsOver(tables, { ...settings, ...meanings, approvals, ...(hooks && { hooks }) });
    const { statusCode, body = '' } = await api(gatewayEvent({ ...request, userArn: by }));
    return { status: statusCode, body: JSON.parse(body) };
  }

  function post(name: string, body: string, sender?: Sender) {
    clock.now += paceSeconds * 1000;
    return send({ routeKey: `POST /operations/${name}`, body }, sender);
  }

  /**
   * Sends a request for an act, with a reason. Unless its calls are disturbed, its dry run comes first, which
   * must show what the act does and change nothing; and another operator repeats it, who must change nothing.
   */
  async function act(name: string, fields: object, sender: Sender = {}) {
    clock.now += paceSeconds * 1000;
    const { everything } = consumer;
    const requestOf = (more: object) => {
      const body = JSON.stringify({ reason, ...fields, ...more });
      return { routeKey: `POST /operations/${name}`, body };
    };
    if (sender.hooks !== undefined) return send(requestOf({}), sender);
    const before = everything();
    const dry = await send(requestOf({ dry_run: true }), sender);
    expect(everything(), 'after the dry run').toBe(before);
    const { dry_run: isDryRun, publish } = fields as { dry_run?: boolean; publish?: boolean };
    if (isDryRun) return dry;
    const response = await send(requestOf({}), sender);
    // A dry run need not wait for consumers.
    if (response.body.title === 'Busy' || response.body.retry_after_seconds) return response;
    expect(shown(response), 'as the dry run has shown').toEqual(shown(dry));
    const after = everything();
    if (response.status !== 200) expect(after, 'after a refusal').toBe(before);
    else if (!publish) {
      const { body } = await send(requestOf({}), { ...sender, by: bob });
      expect(body, 'of the repetition').toMatchObject({ changed: false, events: [], orders: [] });
      // It names who has done it, except for runs, which are done again.
      if (response.body.changed && response.body.next_cursor === undefined)
        expect({ ...body, plan_sha256: response.body.plan_sha256 }).toEqual({
          ...response.body,
          ...{ changed: false, events: [], orders: [] },
        });
      expect(everything(), 'after the repetition').toBe(after);
    }
    return response;
  }

  /** The pages of a comparison, until it ends. */
  async function verifiedPages(limit?: number) {
    const pages = [];
    let cursor: string | null = null;
    do {
      const { body } = await post('verify', JSON.stringify({ limit, ...(cursor !== null && { cursor }) }));
      pages.push(body);
      cursor = body.next_cursor;
    } while (cursor !== null);
    return pages;
  }

  return {
    ...consumer,
    consume: consumer.deliver,
    /** The next release has the setting `eventMeanings`. */
    setMeanings(configured: Readonly<Record<string, Meaning>>): void {
      meanings.meaningOf = createMeaningOf(configured);
      meanings.meaningsId = JSON.stringify(configured);
      release.classify = createClassify(meanings.meaningOf);
    },
    ...{ send, post, act, approvals },
    verifiedPages,
    verify: async () => (await verifiedPages()).flatMap(({ differences }) => differences),
    /** The acts at a key of `schema.ts`, oldest first. */
    actsAt: (key: string) => tables.open().acts.actsOf(key),
  };
}

/** An operator, after a consumer was sent these messages one by one. */
export async function operatorAfter(messages: readonly SentBody[], setUp?: OperatorSetUp) {
  const operator = setUpOperator(setUp);
  await operator.consume(...messages);
  return operator;
}

/** Of a response what a dry run has as well. The sequence is that of one write for each event of a run. */
function shown({ status, body }: { readonly status: number | undefined; readonly body: object }) {
  const text = JSON.stringify({ next_cursor: null, ...body }, (name, value) =>
    name === 'sequence' ? undefined : name === 'next_cursor' ? value === null : value,
  );
  const { dry_run: _, at: __, ...rest } = JSON.parse(text);
  return { status, ...rest };
}
