import {
  event,
  pageJson,
  paidWebhook,
  quickPolicy,
  runReceiver,
  runSimulator,
  type Scripted,
  startService,
  webhookJson,
} from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { MalformedTokenSecretError } from '../../../lambdas/contract/token-secret.ts';
import { SecretRefusedError } from '../../../lambdas/ports/secret-reader.ts';
import {
  keyCredential,
  type RotatedTokenParts,
  tokenCredential,
} from '../../../lambdas/webhook-audit/credential.ts';
import { createWebhookAudit, type WebhookAuditParts } from '../../../lambdas/webhook-audit/webhook-audit.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const url = 'https://hooks.example.com/webhooks/payments';
const both = ['transaction.paid', 'transaction.refunded'];
const ours = { url, enabledEvents: both, isLiveMode: true };
const sandbox = { ...ours, isLiveMode: false };
const noon = Date.UTC(2026, 10, 21, 12);
const stack = '--stack payhooks-production';

interface Given extends Partial<Omit<WebhookAuditParts, 'service' | 'telemetry'>> {
  readonly telemetry?: ReturnType<typeof recordTelemetry>;
}

/** Without any event. */
const emptyStores = {
  isStored: async () => false,
  countedSince: async () => ({ eventIds: [], isComplete: true }),
  receivedAt: async () => new Map<string, number>(),
};

const keys = (secret: string | Error) =>
  keyCredential({
    readSecret: async () => {
      if (secret instanceof Error) throw secret;
      return secret;
    },
    now: () => noon,
  });
const keyList = (...privateKeys: object[]) => keys(JSON.stringify({ private_keys: privateKeys }));

/** Runs one audit; `found` has its findings as "kind: command". */
async function audit(baseUrl: string, { telemetry = recordTelemetry(), ...parts }: Given = {}) {
  const auditWebhooks = createWebhookAudit({
    service: { baseUrl, policy: quickPolicy },
    credential: keys('pri_live'),
    expected: { url, requiredEvents: both },
    stackName: 'payhooks-production',
    millisecondsMax: 20_000,
    reconciliation: { ...emptyStores, now: () => noon },
    telemetry,
    ...parts,
  });
  const { findings } = await auditWebhooks();
  const found = findings.map(({ kind, command }) => `${kind}: ${command}`);
  const counts = telemetry.measured.map(({ metric, value }) => `${metric} ${value}`);
  return { ...telemetry, findings, found, counts };
}

/** The simulator with these registrations and some of other URLs, and the requests that it received. */
async function startSimulator(registrations: readonly (typeof ours)[] = [ours], others = 0) {
  const requests: string[] = [];
  const { baseUrl, registerWebhook } = await runSimulator({
    clock: () => noon,
    onRequest: ({ method, status }) => requests.push(`${method} ${status}`),
  });
  const ids = registrations.map((registration) => registerWebhook(registration).id);
  for (let number = 1; number <= others; number += 1) {
    registerWebhook({ ...ours, url: `https://other-${number}.example.com/webhooks/payments` });
  }
  return { baseUrl, ids, requests };
}

describe('auditWebhooks', () => {
  it('finds nothing wrong with a complete registration', async () => {
    const { baseUrl } = await startSimulator();
    const { findings, counts, lines, flushes } = await audit(baseUrl);
    expect([findings, counts, flushes()]).toEqual([[], ['WebhookAuditFindings 0'], 1]);
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['notice', 'webhook audited'],
      ['notice', 'deliveries reconciled'],
    ]);
  });

  it('returns, logs and counts a missing registration with the command that fixes it', async () => {
    const { baseUrl } = await startSimulator([], 120);
    const { findings, counts, lines } = await audit(baseUrl);
    const finding = {
      kind: 'not_registered',
      detail: `${url} is not registered (webhooks of the account: 120): no event is delivered to it.`,
      command: `npx payhooks webhooks register ${stack}`,
    };
    expect(findings).toEqual([finding]);
    expect(lines.slice(1)).toEqual([{ level: 'error', message: 'webhook audit found', fields: finding }]);
    expect(counts).toEqual(['WebhookAuditFindings 1', 'WebhookAuditFindings 0']);
  });

  it.each([
    ['a sandbox registration', [sandbox]],
    ['a missing event', [{ ...ours, enabledEvents: ['transaction.paid'] }]],
    ['two redundant registrations', [ours, ours, ours]],
  ])('only reads, and counts %s once', async (_, registrations) => {
    const { baseUrl, requests } = await startSimulator(registrations);
    const { counts, lines, findings } = await audit(baseUrl);
    expect(counts).toEqual(['WebhookAuditFindings 1', 'WebhookAuditFindings 0']);
    expect(lines.filter(({ level }) => level === 'error')).toHaveLength(findings.length);
    expect(new Set(requests)).toEqual(new Set(['GET 200']));
  });

  /** Delivers an event to an endpoint that responds with this status, and audits hours later or at once. */
  async function auditDelivery(status: number, hoursLater: number, response?: Response) {
    const receiver = await runReceiver(status);
    const simulator = await runSimulator();
    simulator.registerWebhook(paidWebhook(receiver.url));
    await simulator.emit(event('e-1'));
    const unknown = async (request: Request) =>
      response && request.url.includes('/history') ? response.clone() : fetch(request);
    const parts = { baseUrl: simulator.baseUrl, policy: quickPolicy, fetch: unknown };
    const now = () => Date.now() + hoursLater * 3_600_000;
    return audit(simulator.baseUrl, {
      ...{ service: parts, expected: { url: receiver.url, requiredEvents: ['transaction.paid'] } },
      reconciliation: { ...emptyStores, now },
    });
  }

  it('finds what was delivered hours ago and is not stored', async () => {
    const { found, counts } = await auditDelivery(202, 9.1);
    expect(found).toEqual([`deliveries_missing: npx payhooks reconcile ${stack}`]);
    expect(counts).toEqual(['WebhookAuditFindings 1', 'WebhookAuditFindings 0']);
  });

  it('finds at once that deliveries and their retries reach another server', async () => {
    const { found, counts, findings } = await auditDelivery(404, 0);
    expect(found[0]).toBe(`webhook_unreachable: npx payhooks smoke ${stack}`);
    expect(findings[0]?.detail).toMatch(/: 4 attempts, the last one got status 404, which is not ours\.$/);
    expect(counts).toEqual(['WebhookAuditFindings 2', 'WebhookAuditFindings 0']);
  });

  it('finds that nothing can be compared when there is no history', async () => {
    const { findings, counts } = await auditDelivery(202, 9.1, new Response('{}', { status: 404 }));
    const detail = expect.stringMatching(/^Deliveries were not compared .* status 404/);
    expect(findings).toMatchObject([{ kind: 'history_unreadable', detail }]);
    expect(counts).toEqual([]);
  });

  it('emits no zero when it finds something and cannot compare deliveries, so that both alarms fire', async () => {
    const { baseUrl } = await startSimulator([ours, ours]);
    const withoutHistory = async (request: Request) =>
      request.url.includes('/history') ? new Response('{}', { status: 404 }) : fetch(request);
    const service = { baseUrl, policy: quickPolicy, fetch: withoutHistory };
    const parts = { service, expected: { url, requiredEvents: both } };
    const { counts } = await audit(baseUrl, parts);
    expect(counts).toEqual(['WebhookAuditFindings 1']);
  });

  it('tries each live key until one is not refused with 401', async () => {
    const { baseUrl, requests } = await startSimulator();
    const old = { key: 'pri_live', accepted_until: '2026-12-01T00:00:00Z' };
    const credential = keyList({ key: 'pri_sandbox_test' }, { key: 'pri_new' }, old);
    expect((await audit(baseUrl, { credential })).found).toEqual([]);
    expect(requests.slice(0, 2)).toEqual(['GET 401', 'GET 200']);
  });

  const noLiveKey = 'The key secret holds no live private key that is still accepted.';
  const noValue = keys(new SecretRefusedError('ResourceNotFoundException'));
  const pastKey = keyList({ key: 'pri_live', accepted_until: '2026-11-21T12:00Z' });
  const twoKeys = keyList({ key: 'pri_one' }, { key: 'pri_two' });
  it.each([
    ['the service knows no key', twoKeys, 'keys set', ['GET 401', 'GET 401'], 'failed with status 401'],
    ['the secret holds only a sandbox key', keys('pri_sandbox_test'), 'keys set', [], noLiveKey],
    ['no key is accepted any more', pastKey, 'keys set', [], noLiveKey],
    ['the secret is malformed', keys('{"private_key":"pri_live"}'), 'keys set', [], 'private_keys'],
    ['the secret has no value', noValue, 'keys set', [], 'The key secret has no value yet.'],
  ])('reports a refused credential when %s', async (_, credential, fix, sent, detail) => {
    const { baseUrl, requests } = await startSimulator();
    const { found, findings, counts, lines } = await audit(baseUrl, { credential });
    expect(found).toEqual([`credential_refused: npx payhooks ${fix} ${stack}`]);
    expect(findings[0]?.detail).toContain(detail);
    expect(counts).toEqual([]);
    expect(requests).toEqual(sent);
    expect(JSON.stringify(lines)).not.toMatch(/pri_\w/);
  });

  it('reports a refused credential when the account is inactive, and tries no other key', async () => {
    const { baseUrl, received } = await startService({ status: 403 });
    const credential = keyList({ key: 'pri_one' }, { key: 'pri_two' });
    const { found } = await audit(baseUrl, { credential });
    expect(found).toEqual([`credential_refused: npx payhooks account ${stack}`]);
    expect(received).toHaveLength(1);
  });

  it('passes over a foreign row of the list that is no webhook, and reports one of ours', async () => {
    const rows = (...data: object[]) => ({ json: pageJson(data) });
    const odd = { ...webhookJson(1), created_at: null };
    const foreign = await startService(rows(odd, { ...webhookJson(2), url }), { json: pageJson([]) });
    expect((await audit(foreign.baseUrl)).found).toEqual([]);
    const own = await startService(rows(webhookJson(2), { ...odd, url: `${url}#odd` }));
    const { found, counts } = await audit(own.baseUrl);
    expect(found).toEqual([`registration_unreadable: npx payhooks webhooks list ${stack}`]);
    expect(counts).toEqual([]);
  });

  it('reports an unreachable service that does not respond in time', async () => {
    const { baseUrl } = await startService({ fault: 'hang' });
    const { findings } = await audit(baseUrl, { millisecondsMax: 100 });
    const detail = 'The payment service took too long to list its webhooks.';
    expect(findings).toMatchObject([{ kind: 'service_unreachable', detail }]);
  });

  const elsewhere = { location: 'https://other.example.com/' };
  it.each<[string, Scripted]>([
    ['a response of 500', { status: 500 }],
    ['an HTML page', { text: '<html>welcome</html>' }],
    ['a closed connection', { fault: 'cut' }],
    ['a redirect, which it does not follow', { status: 302, headers: elsewhere }],
  ])('reports an unreachable service after %s', async (_, script) => {
    const { baseUrl } = await startService(script);
    const { found, counts, flushes } = await audit(baseUrl);
    expect(found).toEqual([`service_unreachable: npx payhooks account ${stack}`]);
    expect([counts, flushes()]).toEqual([[], 1]);
  });

  it('throws a fault of Secrets Manager', async () => {
    const denied = new SecretRefusedError('AccessDeniedException');
    const { baseUrl } = await startService();
    await expect(audit(baseUrl, { credential: keys(denied) })).rejects.toBe(denied);
  });
});

describe('auditWebhooks with an OAuth token', () => {
  /** A token secret with one of these access tokens after each rotation. */
  function rotatingToken(tokens: readonly string[], change: Partial<RotatedTokenParts> = {}) {
    const state = { version: 0 };
    const credential = tokenCredential({
      readTokens: async () => ({ versionId: `${state.version}`, accessToken: tokens[state.version] }),
      rotate: async () => {
        state.version += 1;
      },
      pause: async () => {},
      ...change,
    });
    return { credential, state };
  }

  it('rotates a token that is refused with 401, and uses the new one', async () => {
    const { baseUrl } = await startSimulator();
    const { credential, state } = rotatingToken(['expired-access', 'first-access']);
    expect((await audit(baseUrl, { credential })).found).toEqual([]);
    expect(state.version).toBe(1);
  });

  const malformed = () => Promise.reject(new MalformedTokenSecretError('not JSON'));
  it.each([
    ['the new token is refused as well', rotatingToken(['expired-access', 'unknown-access']), 'token set'],
    ['the token lacks the scope', rotatingToken(['unscoped-access']), 'account', 'view-webhooks'],
    ['no rotation ends', rotatingToken(['expired-access'], { rotate: async () => {} }), 'token refresh'],
    ['the secret has no value', rotatingToken([], { readTokens: async () => undefined }), 'token set'],
    ['the secret is malformed', rotatingToken([], { readTokens: malformed }), 'token set'],
  ])('reports a refused credential when %s', async (_, { credential }, fix, detail = '') => {
    const { baseUrl } = await startSimulator();
    const { found, findings } = await audit(baseUrl, { credential });
    expect(found).toEqual([`credential_refused: npx payhooks ${fix} ${stack}`]);
    expect(findings[0]?.detail).toContain(detail);
  });
});
