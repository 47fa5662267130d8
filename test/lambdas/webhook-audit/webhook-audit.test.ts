import { quickPolicy, runSimulator, type Scripted, startService } from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { MalformedTokenSecretError } from '../../../lambdas/contract/token-secret.ts';
import { SecretRefusedError } from '../../../lambdas/ports/secret-reader.ts';
import { keyCredential, tokenCredential } from '../../../lambdas/webhook-audit/credential.ts';
import type { RotatedTokenParts } from '../../../lambdas/webhook-audit/rotated-token.ts';
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
    telemetry,
    ...parts,
  });
  const { findings } = await auditWebhooks();
  return { telemetry, findings, found: findings.map(({ kind, command }) => `${kind}: ${command}`) };
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

const reconciliation = { isStored: async () => false, deadLetters: async () => 0, now: () => noon };
const refusedKeys = [`credential_refused: npx payhooks keys set ${stack}`];
const refusedAccount = [`credential_refused: npx payhooks account ${stack}`];
const refusedToken = [`credential_refused: npx payhooks token set ${stack}`];
const unreachable = [`service_unreachable: npx payhooks account ${stack}`];

describe('auditWebhooks', () => {
  it('finds nothing wrong with a complete registration, and logs one line', async () => {
    const { baseUrl } = await startSimulator();
    const { findings, telemetry } = await audit(baseUrl);
    expect(findings).toEqual([]);
    expect(telemetry.metrics).toEqual([]);
    expect(telemetry.lines).toEqual([
      { level: 'notice', message: 'webhook audited', fields: { webhooks: 1, findings: 0 } },
    ]);
    expect(telemetry.flushes()).toBe(1);
  });

  it('returns, logs and counts a missing registration with the command that fixes it', async () => {
    const { baseUrl } = await startSimulator([], 120);
    const { findings, telemetry } = await audit(baseUrl, { reconciliation });
    const finding = {
      kind: 'not_registered',
      detail: `${url} is not registered (webhooks of the account: 120): no event is delivered to it.`,
      command: `npx payhooks webhooks register ${stack}`,
    };
    expect(findings).toEqual([finding]);
    expect(telemetry.lines.slice(1)).toEqual([
      { level: 'error', message: 'webhook audit found', fields: finding },
    ]);
    expect(telemetry.metrics).toEqual(['WebhookNotRegistered']);
  });

  it.each([
    ['not_live', sandbox, 'register', 'WebhookNotRegistered'],
    [
      'event_missing',
      { ...ours, enabledEvents: ['transaction.paid'] },
      'update ID --events transaction.paid,transaction.refunded',
      'WebhookNotRegistered',
    ],
  ])('finds and counts %s', async (kind, registration, fix, metric) => {
    const { baseUrl, ids } = await startSimulator([registration]);
    const { found, telemetry } = await audit(baseUrl);
    expect(found).toEqual([`${kind}: npx payhooks webhooks ${fix.replace('ID', ids[0] ?? '')} ${stack}`]);
    expect(telemetry.metrics).toEqual([metric]);
  });

  it('logs each redundant registration and counts them once', async () => {
    const { baseUrl, ids } = await startSimulator([ours, ours, ours]);
    const { found, telemetry } = await audit(baseUrl);
    const [, ...redundant] = ids.toSorted();
    const commands = redundant.map((id) => `registered_twice: npx payhooks webhooks delete ${id} ${stack}`);
    expect(found).toEqual(commands);
    expect(telemetry.lines.filter(({ message }) => message === 'webhook audit found')).toHaveLength(2);
    expect(telemetry.metrics).toEqual(['WebhookRegisteredTwice']);
  });

  it.each([
    ['no registration', []],
    ['wrong registrations', [{ ...ours, enabledEvents: ['transaction.failed'] }, sandbox, ours]],
  ])('only reads when it finds %s', async (_, registrations) => {
    const { baseUrl, requests } = await startSimulator(registrations);
    await audit(baseUrl);
    expect(new Set(requests)).toEqual(new Set(['GET 200']));
  });

  it('tries each live key until one is not refused with 401', async () => {
    const { baseUrl, requests } = await startSimulator();
    const old = { key: 'pri_live', accepted_until: '2026-12-01T00:00:00Z' };
    const credential = keyList({ key: 'pri_sandbox_test' }, { key: 'pri_new' }, old);
    expect((await audit(baseUrl, { credential })).found).toEqual([]);
    expect(requests).toEqual(['GET 401', 'GET 200']);
  });

  const noLiveKey = 'The key secret holds no live private key that is still accepted.';
  const noValue = new SecretRefusedError('ResourceNotFoundException');
  it.each([
    [
      'the service knows no key',
      keyList({ key: 'pri_one' }, { key: 'pri_two' }),
      2,
      'failed with status 401',
    ],
    ['the secret holds only a sandbox key', keys('pri_sandbox_test'), 0, noLiveKey],
    [
      'no key is accepted any more',
      keyList({ key: 'pri_live', accepted_until: '2026-11-21T12:00Z' }),
      0,
      noLiveKey,
    ],
    ['the key cannot be sent', keys('pri_li:ve'), 0, noLiveKey],
    ['the secret is malformed', keys('{"private_key":"pri_live"}'), 0, 'private_keys'],
    ['the secret has no value', keys(noValue), 0, 'The key secret has no value yet.'],
  ])('reports a refused credential when %s', async (_, credential, requestCount, detail) => {
    const { baseUrl, requests } = await startSimulator();
    const { found, findings, telemetry } = await audit(baseUrl, { credential, reconciliation });
    expect(found).toEqual(refusedKeys);
    expect(findings[0]?.detail).toContain(detail);
    expect(telemetry.metrics).toEqual(Array(6).fill('WebhookAuditIncomplete'));
    expect(requests).toHaveLength(requestCount);
    expect(JSON.stringify(telemetry.lines)).not.toMatch(/pri_\w/);
  });

  it.each([
    ['inactive', keyList({ key: 'pri_inactive' })],
    ['unverified', keyList({ key: 'pri_unverified' })],
    ['inactive, and tries no other key', keyList({ key: 'pri_inactive' }, { key: 'pri_live' })],
  ])('reports a refused credential when the account is %s', async (_, credential) => {
    const { baseUrl, requests } = await startSimulator();
    const { found, telemetry } = await audit(baseUrl, { credential });
    expect(found).toEqual(refusedAccount);
    expect(requests).toEqual(['GET 403']);
    expect(telemetry.metrics).toEqual(Array(6).fill('WebhookAuditIncomplete'));
  });

  it('reports an unreachable service that does not respond in time', async () => {
    const { baseUrl } = await startService({ fault: 'hang' });
    const { findings } = await audit(baseUrl, { millisecondsMax: 100 });
    const detail = 'The payment service took too long to list its webhooks.';
    expect(findings).toMatchObject([{ kind: 'service_unreachable', detail }]);
  });

  it('reports an unreachable service with the network error', async () => {
    const { baseUrl, stop } = await startService();
    await stop();
    const { findings, telemetry } = await audit(baseUrl);
    expect(findings).toMatchObject([
      {
        kind: 'service_unreachable',
        detail:
          'listWebhooks got no response from the payment service; it was not sent. Network error: ECONNREFUSED.',
      },
    ]);
    expect(telemetry.metrics).toEqual(Array(3).fill('WebhookAuditIncomplete'));
    expect(telemetry.flushes()).toBe(1);
  });

  it.each<[string, Scripted]>([
    ['a response of 500', { status: 500 }],
    ['a response of 503', { status: 503, json: { message: 'later' } }],
    ['a response of 429', { status: 429 }],
    ['an HTML page', { text: '<html>welcome</html>' }],
    ['an empty response', { text: '' }],
    ['a list without pagination', { json: { object: 'v2.webhook', data: [] } }],
    ['a closed connection', { fault: 'cut' }],
  ])('reports an unreachable service after %s', async (_, script) => {
    const { baseUrl } = await startService(script);
    const { found, telemetry } = await audit(baseUrl);
    expect(found).toEqual(unreachable);
    expect(telemetry.metrics).toEqual(Array(3).fill('WebhookAuditIncomplete'));
  });

  const elsewhere = { location: 'https://other.example.com/' };
  it.each<[string, Scripted]>([
    ['an unexpected status', { status: 404, json: { message: 'no such page' } }],
    ['a redirect, which it does not follow', { status: 302, headers: elsewhere }],
  ])('throws after %s, and writes its metrics', async (_, script) => {
    const telemetry = recordTelemetry();
    const { baseUrl } = await startService(script);
    await expect(audit(baseUrl, { telemetry })).rejects.toMatchObject({ name: 'StatusError' });
    expect(telemetry.metrics).toEqual([]);
    expect(telemetry.flushes()).toBe(1);
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
    const state = { now: noon, version: 0 };
    const credential = tokenCredential({
      readTokens: async () => ({ versionId: `${state.version}`, accessToken: tokens[state.version] }),
      rotate: async () => {
        state.version += 1;
      },
      pause: async () => {
        state.now += 10_000;
      },
      now: () => state.now,
      ...change,
    });
    return { credential, state };
  }

  it.each([
    ['uses the current token', ['first-access'], 0],
    ['rotates a token that is refused with 401, and uses the new one', ['expired-access', 'first-access'], 1],
  ])('%s', async (_, tokens, rotations) => {
    const { baseUrl } = await startSimulator();
    const { credential, state } = rotatingToken(tokens);
    expect((await audit(baseUrl, { credential })).found).toEqual([]);
    expect(state.version).toBe(rotations);
  });

  const malformed = () => Promise.reject(new MalformedTokenSecretError('not JSON'));
  const refresh = [`credential_refused: npx payhooks token refresh ${stack}`];
  it.each([
    ['the new token is refused as well', rotatingToken(['expired-access', 'unknown-access']), refusedToken],
    ['the token lacks the scope', rotatingToken(['unscoped-access']), refusedAccount, 'view-webhooks'],
    ['no rotation ends', rotatingToken(['expired-access'], { rotate: async () => undefined }), refresh],
    ['the secret has no value', rotatingToken([], { readTokens: async () => undefined }), refusedToken],
    ['the secret is malformed', rotatingToken([], { readTokens: malformed }), refusedToken],
  ])('reports a refused credential when %s', async (_, { credential }, expected, detail = '') => {
    const { baseUrl } = await startSimulator();
    const { found, findings, telemetry } = await audit(baseUrl, { credential });
    expect(found).toEqual(expected);
    expect(findings[0]?.detail).toContain(detail);
    expect(telemetry.metrics).toEqual(Array(6).fill('WebhookAuditIncomplete'));
  });
});
