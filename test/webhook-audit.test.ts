import {
  quickPolicy,
  type RunningSimulator,
  runSimulator,
  type Scripted,
  startService,
} from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { MalformedTokenSecretError } from '../lambdas/contract/token-secret.ts';
import { type Credential, keyCredential, tokenCredential } from '../lambdas/webhook-audit/credential.ts';
import { createWebhookAudit, type WebhookAuditParts } from '../lambdas/webhook-audit/webhook-audit.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

const url = 'https://hooks.example.com/webhooks/payments';
const both = ['transaction.paid', 'transaction.refunded'];
const ours = { url, enabledEvents: both, isLiveMode: true };
const noon = Date.UTC(2026, 10, 21, 12);

interface Given {
  readonly secret?: string | (() => Promise<string>);
  readonly parts?: Partial<WebhookAuditParts>;
}

/** Runs one audit; its findings as "kind: command". Pauses between attempts are left out. */
async function auditAt(baseUrl: string, { secret = 'pri_live', parts = {} }: Given = {}) {
  const telemetry = recordTelemetry();
  const run = createWebhookAudit({
    service: { baseUrl, policy: quickPolicy },
    credential: keyCredential({
      readSecret: typeof secret === 'string' ? async () => secret : secret,
      now: () => noon,
    }),
    expected: { url, requiredEvents: both },
    stackName: 'payhooks-production',
    millisecondsMax: 20_000,
    telemetry,
    ...parts,
  });
  const { findings } = await run();
  return { telemetry, findings, found: findings.map(({ kind, command }) => `${kind}: ${command}`) };
}

const keys = (...privateKeys: object[]) => JSON.stringify({ private_keys: privateKeys });
const refusedKeys = ['credential_refused: npx payhooks keys set --stack payhooks-production'];
const refusedAccount = ['credential_refused: npx payhooks account --stack payhooks-production'];
const unreachable = ['service_unreachable: npx payhooks account --stack payhooks-production'];

describe('an audit of what is registered with the payment service', () => {
  it('finds nothing, and says so in one line and one metric', async () => {
    const { baseUrl, registerWebhook } = await runSimulator();
    registerWebhook(ours);
    const { findings, telemetry } = await auditAt(baseUrl);
    expect(findings).toEqual([]);
    expect(telemetry.metrics).toEqual([]);
    expect(telemetry.lines).toEqual([
      { level: 'info', message: 'webhook audited', fields: { webhooks: 1, findings: 0 } },
    ]);
    expect(telemetry.flushes()).toBe(1);
  });

  it('finds our URL among 120 webhooks, on the last page', async () => {
    const asked: string[] = [];
    const simulator = await runSimulator({ onRequest: ({ path }) => asked.push(path) });
    simulator.registerWebhook({ ...ours, enabledEvents: ['transaction.paid'] });
    registerOthers(simulator, 119);
    const { found, telemetry } = await auditAt(simulator.baseUrl);
    expect(found).toEqual([expect.stringMatching(/^event_missing: /)]);
    expect(asked).toHaveLength(3);
    expect(telemetry.lines[0]?.fields).toEqual({ webhooks: 120, findings: 1 });
  });

  it('finds that it is on no page, and names the exact command in its answer and in its log', async () => {
    const simulator = await runSimulator();
    registerOthers(simulator, 120);
    const { findings, telemetry } = await auditAt(simulator.baseUrl);
    const finding = {
      kind: 'not_registered',
      detail: `${url} is not registered (webhooks of the account: 120): no event is delivered to it.`,
      command: 'npx payhooks webhooks register --stack payhooks-production',
    };
    expect(findings).toEqual([finding]);
    expect(telemetry.lines.slice(1)).toEqual([
      { level: 'error', message: 'webhook audit found', fields: finding },
    ]);
    expect(telemetry.metrics).toEqual(['WebhookNotRegistered']);
  });

  it('finds a sandbox registration alone', async () => {
    const { baseUrl, registerWebhook } = await runSimulator();
    registerWebhook({ ...ours, isLiveMode: false });
    const { found, telemetry } = await auditAt(baseUrl);
    expect(found).toEqual(['not_live: npx payhooks webhooks register --stack payhooks-production']);
    expect(telemetry.metrics).toEqual(['WebhookNotLive']);
  });

  it('finds a missing event', async () => {
    const { baseUrl, registerWebhook } = await runSimulator();
    const { id } = registerWebhook({ ...ours, enabledEvents: ['transaction.paid'] });
    const { found, telemetry } = await auditAt(baseUrl);
    expect(found).toEqual([
      `event_missing: npx payhooks webhooks update ${id} --events transaction.paid,transaction.refunded ` +
        '--stack payhooks-production',
    ]);
    expect(telemetry.metrics).toEqual(['WebhookEventMissing']);
  });

  it('finds registrations in excess, one line for each and one metric for all', async () => {
    const { baseUrl, registerWebhook } = await runSimulator({ clock: () => noon });
    const ids = [registerWebhook(ours), registerWebhook(ours), registerWebhook(ours)].map(({ id }) => id);
    const { found, telemetry } = await auditAt(baseUrl);
    const redundant = ids.toSorted().slice(1);
    expect(found).toEqual(
      redundant.map(
        (id) => `registered_twice: npx payhooks webhooks delete ${id} --stack payhooks-production`,
      ),
    );
    expect(telemetry.lines.filter(({ message }) => message === 'webhook audit found')).toHaveLength(2);
    expect(telemetry.metrics).toEqual(['WebhookRegisteredTwice']);
  });

  it('changes nothing', async () => {
    const methods: string[] = [];
    const simulator = await runSimulator({ onRequest: ({ method }) => methods.push(method) });
    await auditAt(simulator.baseUrl);
    simulator.registerWebhook({ ...ours, enabledEvents: ['transaction.failed'] });
    simulator.registerWebhook({ ...ours, isLiveMode: false });
    simulator.registerWebhook(ours);
    await auditAt(simulator.baseUrl);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });
});

function registerOthers({ registerWebhook }: RunningSimulator, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    registerWebhook({ ...ours, url: `https://other-${number}.example.com/webhooks/payments` });
  }
}

describe('the credential of an audit', () => {
  it('is each live key in turn, until one is not answered 401', async () => {
    const answers: (number | string)[] = [];
    const { baseUrl, registerWebhook } = await runSimulator({
      onRequest: ({ status }) => answers.push(status),
    });
    registerWebhook(ours);
    const sandbox = { key: 'pri_sandbox_test' };
    const rotating = keys(
      sandbox,
      { key: 'pri_new' },
      { key: 'pri_live', accepted_until: '2026-12-01T00:00:00Z' },
    );
    expect((await auditAt(baseUrl, { secret: rotating })).found).toEqual([]);
    expect(answers).toEqual([401, 200]);
  });

  it.each([
    ['is refused when no key is known', keys({ key: 'pri_one' }, { key: 'pri_two' }), 2],
    ['is none where there is a sandbox key only, which is not sent', 'pri_sandbox_test', 0],
    ['is none that is no longer accepted', keys({ key: 'pri_live', accepted_until: '2026-11-21T12:00Z' }), 0],
    ['is none that cannot be sent', 'pri_li:ve', 0],
    ['is none in a secret of another form', '{"private_key":"pri_live"}', 0],
  ])('%s', async (_, secret, requests) => {
    const asked: string[] = [];
    const { baseUrl } = await runSimulator({ onRequest: ({ path }) => asked.push(path) });
    const { found, telemetry } = await auditAt(baseUrl, { secret });
    expect(found).toEqual(refusedKeys);
    expect(telemetry.metrics).toEqual(['AuditCredentialRefused']);
    expect(asked).toHaveLength(requests);
    expect(JSON.stringify(telemetry.lines)).not.toMatch(/pri_\w/);
  });

  it('is none in a secret without a value', async () => {
    const { baseUrl } = await runSimulator();
    const missing = Object.assign(new Error('no value'), { name: 'ResourceNotFoundException' });
    const { findings } = await auditAt(baseUrl, { secret: () => Promise.reject(missing) });
    expect(findings).toMatchObject([
      { kind: 'credential_refused', detail: 'The key secret has no value yet.' },
    ]);
  });

  it.each(['inactive', 'unverified'])('is refused with 403 for an account that is %s', async (account) => {
    const { baseUrl } = await runSimulator();
    const { found, telemetry } = await auditAt(baseUrl, { secret: keys({ key: `pri_${account}` }) });
    expect(found).toEqual(refusedAccount);
    expect(telemetry.metrics).toEqual(['AuditCredentialRefused']);
  });

  it('is not another key after a 403, which is an answer to a key that is known', async () => {
    const { baseUrl } = await runSimulator();
    const secret = keys({ key: 'pri_inactive' }, { key: 'pri_live' });
    expect((await auditAt(baseUrl, { secret })).found).toEqual(refusedAccount);
  });
});

describe('the OAuth token of an audit', () => {
  /** A token secret whose rotations put in these access tokens, one after another. */
  function tokenSecret(...tokens: string[]): {
    readonly credential: Credential;
    readonly rotations: () => number;
  } {
    let version = 0;
    const credential = tokenCredential({
      readTokens: async () => ({ versionId: String(version), accessToken: tokens[version] ?? 'stale' }),
      rotate: async () => {
        version += 1;
      },
      pause: async () => undefined,
      now: () => noon,
    });
    return { credential, rotations: () => version };
  }

  it('is enough to look', async () => {
    const { baseUrl, registerWebhook } = await runSimulator();
    registerWebhook(ours);
    const { credential, rotations } = tokenSecret('first-access');
    expect((await auditAt(baseUrl, { parts: { credential } })).found).toEqual([]);
    expect(rotations()).toBe(0);
  });

  it('is rotated when it is answered 401, and the audit goes on with the new one', async () => {
    const { baseUrl, registerWebhook } = await runSimulator();
    registerWebhook(ours);
    const { credential, rotations } = tokenSecret('expired-access', 'first-access');
    expect((await auditAt(baseUrl, { parts: { credential } })).found).toEqual([]);
    expect(rotations()).toBe(1);
  });

  it('is refused when a new one is answered 401 as well', async () => {
    const { baseUrl } = await runSimulator();
    const { credential } = tokenSecret('expired-access', 'unknown-access');
    const { found } = await auditAt(baseUrl, { parts: { credential } });
    expect(found).toEqual(['credential_refused: npx payhooks token set --stack payhooks-production']);
  });

  it('is refused without the scope to look, and the account is what to look at', async () => {
    const { baseUrl } = await runSimulator();
    const { credential } = tokenSecret('unscoped-access');
    const { found, findings } = await auditAt(baseUrl, { parts: { credential } });
    expect(found).toEqual(refusedAccount);
    expect(findings[0]?.detail).toContain('view-webhooks');
  });

  it('is refused when nobody renews it', async () => {
    const { baseUrl } = await runSimulator();
    let moment = noon;
    const stuck = tokenCredential({
      readTokens: async () => ({ versionId: 'same', accessToken: 'expired-access' }),
      rotate: async () => undefined,
      pause: async () => {
        moment += 10_000;
      },
      now: () => moment,
    });
    const { found } = await auditAt(baseUrl, { parts: { credential: stuck } });
    expect(found).toEqual(['credential_refused: npx payhooks token refresh --stack payhooks-production']);
  });

  it('is refused where the secret holds none, or something else', async () => {
    const { baseUrl } = await runSimulator();
    const parts = { rotate: async () => undefined, pause: async () => undefined, now: () => noon };
    const empty = tokenCredential({ ...parts, readTokens: async () => undefined });
    expect((await auditAt(baseUrl, { parts: { credential: empty } })).telemetry.metrics).toEqual([
      'AuditCredentialRefused',
    ]);
    const malformed = {
      ...parts,
      readTokens: () => Promise.reject(new MalformedTokenSecretError('not JSON')),
    };
    const { found } = await auditAt(baseUrl, { parts: { credential: tokenCredential(malformed) } });
    expect(found).toEqual(['credential_refused: npx payhooks token set --stack payhooks-production']);
  });
});

describe('an audit without a verdict', () => {
  it('says that nobody answers, and why', async () => {
    const { baseUrl, stop } = await startService();
    stop();
    const { findings, telemetry } = await auditAt(baseUrl);
    expect(findings).toEqual([
      {
        kind: 'service_unreachable',
        detail:
          'listWebhooks got no response from the payment service; it was not sent. Network error: ECONNREFUSED.',
        command: 'npx payhooks account --stack payhooks-production',
      },
    ]);
    expect(telemetry.metrics).toEqual(['AuditServiceUnreachable']);
    expect(telemetry.flushes()).toBe(1);
  });

  const page = { object: 'v2.webhook', data: [] };
  it.each<[string, Scripted]>([
    ['a fault of the service', { status: 503, json: { message: 'later' } }],
    ['too many requests', { status: 429 }],
    ['a page of a proxy', { text: '<html>welcome</html>' }],
    ['an empty answer', { text: '' }],
    ['a list without its pagination', { json: page }],
    ['a connection that is cut', { fault: 'cut' }],
  ])('counts %s as no service', async (_, script) => {
    const { baseUrl } = await startService(script);
    const { found, telemetry } = await auditAt(baseUrl);
    expect(found).toEqual(unreachable);
    expect(telemetry.metrics).toEqual(['AuditServiceUnreachable']);
  });

  it('gives up on a service that keeps it waiting', async () => {
    const { baseUrl } = await startService({ fault: 'hang' });
    const { findings } = await auditAt(baseUrl, { parts: { millisecondsMax: 100 } });
    expect(findings).toMatchObject([
      {
        kind: 'service_unreachable',
        detail: 'The payment service took too long to list its webhooks.',
      },
    ]);
  });

  it.each<[string, Scripted]>([
    ['a status that nobody expects', { status: 404, json: { message: 'no such page' } }],
    [
      'a redirect, which is not followed',
      { status: 302, headers: { location: 'https://other.example.com/' } },
    ],
  ])('fails for %s, after its metrics are written', async (_, script) => {
    const telemetry = recordTelemetry();
    const { baseUrl } = await startService(script);
    await expect(auditAt(baseUrl, { parts: { telemetry } })).rejects.toMatchObject({ name: 'StatusError' });
    expect(telemetry.metrics).toEqual([]);
    expect(telemetry.flushes()).toBe(1);
  });

  it('fails for a fault of Secrets Manager', async () => {
    const denied = Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
    const { baseUrl } = await startService();
    await expect(auditAt(baseUrl, { secret: () => Promise.reject(denied) })).rejects.toBe(denied);
  });
});
