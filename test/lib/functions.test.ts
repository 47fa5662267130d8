import { describe, expect, it } from 'vitest';
import { variables } from '../../lambdas/contract/environment.ts';
import { synthesise } from './synthesis.ts';

const paymentServiceBaseUrl = 'https://pay.example.com';
const oauth = { paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' };

/** With all nine functions. */
const stack = synthesise({ ...oauth, signatureHeader: 'X-Brand-Signature' });
const functions = stack.propertiesOf('AWS::Lambda::Function');

describe('every function', () => {
  it('runs Node.js 24 on arm64, from the handler index.handler', () => {
    expect(functions).toHaveLength(9);
    for (const properties of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        // As in every release: Lambda changes code and handler one after the other.
        Handler: 'index.handler',
      });
    }
  });

  it('writes to its own log group, which keeps lines for 30 days', () => {
    const groups = functions.map(({ LoggingConfig }) =>
      stack.pathOf((LoggingConfig as { LogGroup: unknown }).LogGroup),
    );
    expect(new Set(groups).size).toBe(9);
    for (const group of groups) expect(stack.at(group).Properties).toMatchObject({ RetentionInDays: 30 });
  });

  it.each([
    ['warn', 'WARN'],
    ['info', 'INFO'],
  ])(
    'with logLevel %s: writes lines of its own at that level, and those of Lambda from %s',
    (logLevel, level) => {
      const each = synthesise({ logLevel }).propertiesOf('AWS::Lambda::Function');
      expect(each.length).toBeGreaterThan(5);
      for (const { LoggingConfig, Environment } of each) {
        // Lambda takes embedded metrics, which have no level, for INFO: a higher level would drop them.
        const levels = { LogFormat: 'JSON', SystemLogLevel: level, ApplicationLogLevel: 'INFO' };
        expect(LoggingConfig).toMatchObject(levels);
        expect(Environment).toMatchObject({ Variables: { LOG_LEVEL: logLevel } });
      }
    },
  );

  it('logs neither what went well nor an invocation that ended well by default', () => {
    const { LoggingConfig, Environment } = synthesise({}).at('Consumer/Function/Lambda').Properties;
    expect(LoggingConfig).toMatchObject({ SystemLogLevel: 'WARN' });
    expect(Environment).toMatchObject({ Variables: { LOG_LEVEL: 'warn' } });
  });

  it('runs without source maps, which would slow down every call', () => {
    expect(JSON.stringify(functions)).not.toContain('source-map');
  });

  it('gets no environment variable that the handlers do not know', () => {
    const known: readonly string[] = Object.values(variables);
    const given = functions.flatMap(({ Environment }) =>
      Object.keys((Environment as { Variables: object }).Variables),
    );
    expect(given.length).toBeGreaterThan(20);
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('the environment variables', () => {
  it.each([
    [
      'Verifier',
      'verifier',
      {
        SIGNATURE_HEADER: 'x-brand-signature',
        KEY_SECRET_ARN: 'Verifier/KeySecret',
        EVENT_QUEUE_URL: 'EventQueue/Queue',
        HEARTBEAT_KEY_SECRET_ARN: 'Heartbeat/KeySecret',
      },
    ],
    [
      'Consumer',
      'consumer',
      {
        EVENT_QUEUE_URL: 'EventQueue/Queue',
        EVENTS_TABLE_NAME: 'Tables/Events',
        ORDERS_TABLE_NAME: 'Tables/Orders',
      },
    ],
    [
      'OrderQuery',
      'order-query',
      {
        EVENTS_TABLE_NAME: 'Tables/Events',
        ORDERS_TABLE_NAME: 'Tables/Orders',
        CHANGES_SETTLE_SECONDS: '30',
      },
    ],
    ['Operations', 'operations', { EVENTS_TABLE_NAME: 'Tables/Events', ORDERS_TABLE_NAME: 'Tables/Orders' }],
    ['OrderFeed', 'order-feed', { FEED_BUS_NAME: 'OrderFeed/Bus', CHANGES_SETTLE_SECONDS: '30' }],
    ['WaitingCount', 'waiting-count', { EVENTS_TABLE_NAME: 'Tables/Events' }],
    [
      'TokenRefresh',
      'token-refresh',
      { TOKEN_SECRET_ARN: 'TokenRefresh/TokenSecret', PAYMENT_SERVICE_BASE_URL: 'https://pay.example.com' },
    ],
  ])('of %s name its own resources and its metrics', (construct, service, expected) => {
    const found = Object.entries(stack.variablesOf(construct)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : stack.pathOf(value),
    ]);
    expect(Object.fromEntries(found)).toEqual({
      ...expected,
      LOG_LEVEL: 'warn',
      POWERTOOLS_SERVICE_NAME: service,
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
    });
  });

  it.each([
    ['KEY_SECRET_ARN', 'Verifier/KeySecret', { paymentServiceBaseUrl }],
    ['TOKEN_SECRET_ARN', 'TokenRefresh/TokenSecret', oauth],
  ])('of WebhookAudit name its URL, its stack and one secret: %s', (variable, secret, settings) => {
    const audited = synthesise(settings);
    const { WEBHOOK_URL, ...others } = audited.variablesOf('WebhookAudit');
    expect(JSON.stringify(WEBHOOK_URL)).toMatch(/VerifierEndpointApi.*ApiEndpoint.*"\/webhooks\/payments"/);
    expect(others).toEqual({
      PAYMENT_SERVICE_BASE_URL: 'https://pay.example.com',
      REQUIRED_EVENTS: 'transaction.paid,transaction.refunded',
      STACK_NAME: 'payhooks-production',
      EVENTS_TABLE_NAME: { Ref: audited.idAt('Tables/Events') },
      DEAD_LETTER_QUEUE_URL: { Ref: audited.idAt('EventQueue/DeadLetters') },
      LOG_LEVEL: 'warn',
      POWERTOOLS_SERVICE_NAME: 'webhook-audit',
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
      [variable]: { Ref: audited.idAt(secret) },
    });
  });

  it('of WebhookAudit name the registered URL and the required events of the settings', () => {
    const webhookUrl = 'https://hooks.example.com/webhooks/payments';
    const settings = { paymentServiceBaseUrl, webhookUrl, requiredEvents: 'payout.made' };
    expect(synthesise(settings).variablesOf('WebhookAudit')).toMatchObject({
      WEBHOOK_URL: 'https://hooks.example.com/webhooks/payments',
      REQUIRED_EVENTS: 'payout.made',
    });
  });

  it.each(['Consumer', 'Operations'])(
    'of %s, which reads bodies, hold the meanings of event names',
    (construct) => {
      const { EVENT_MEANINGS } = synthesise({ eventMeanings: 'charge.lost=refunded' }).variablesOf(construct);
      expect(EVENT_MEANINGS).toBe('{"charge.lost":"refunded"}');
    },
  );

  it.each(['OrderQuery', 'OrderFeed', 'Operations'])(
    'of %s, which shows orders, hold what is added to each sequence',
    (construct) => {
      expect(synthesise({ sequenceBase: '1000000000' }).variablesOf(construct)).toMatchObject({
        SEQUENCE_BASE: '1000000000',
      });
      expect(synthesise().variablesOf(construct)).not.toHaveProperty('SEQUENCE_BASE');
    },
  );

  it.each(['OrderQuery', 'OrderFeed'])('of %s hold the bound on the time of changes', (construct) => {
    expect(synthesise({ changesSettleSeconds: '600' }).variablesOf(construct)).toMatchObject({
      CHANGES_SETTLE_SECONDS: '600',
    });
  });

  it.each(['Consumer', 'Operations'])('of %s hold the retention of events when one is set', (construct) => {
    expect(synthesise({ eventRetentionDays: '400' }).variablesOf(construct)).toMatchObject({
      EVENT_RETENTION_DAYS: '400',
    });
  });
});
