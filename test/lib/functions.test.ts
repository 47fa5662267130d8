import { describe, expect, it } from 'vitest';
import { variables } from '../../lambdas/contract/environment.ts';
import { synthesise } from './synthesis.ts';

const paymentServiceBaseUrl = 'https://pay.example.com';
const oauth = { paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' };

/** With all nine functions. */
const stack = synthesise({ ...oauth, signatureHeader: 'X-Brand-Signature' });
const functions = stack.propertiesOf('AWS::Lambda::Function');

describe('every function', () => {
  it('runs Node.js 24 on arm64, from the handler index.handler, without source maps, which slow it down', () => {
    expect(functions).toHaveLength(9);
    for (const properties of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        // As in every release: Lambda changes code and handler one after the other.
        Handler: 'index.handler',
      });
    }
    expect(JSON.stringify(functions)).not.toContain('source-map');
  });

  it.each([
    [{}, 'warn', 'WARN'],
    [{ logLevel: 'info' }, 'info', 'INFO'],
  ])('with %j writes lines of its own from %s on, and those of Lambda from %s', (settings, own, level) => {
    for (const { LoggingConfig, Environment } of synthesise(settings).propertiesOf('AWS::Lambda::Function')) {
      // Lambda takes embedded metrics, which have no level, for INFO: a higher level would drop them.
      const levels = { LogFormat: 'JSON', SystemLogLevel: level, ApplicationLogLevel: 'INFO' };
      expect(LoggingConfig).toMatchObject(levels);
      expect(Environment).toMatchObject({ Variables: { LOG_LEVEL: own } });
    }
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
  const tables = { EVENTS_TABLE_NAME: 'Tables/Events', ORDERS_TABLE_NAME: 'Tables/Orders' };
  const audit = {
    PAYMENT_SERVICE_BASE_URL: paymentServiceBaseUrl,
    REQUIRED_EVENTS: 'transaction.paid,transaction.refunded',
    STACK_NAME: 'payhooks-production',
    EVENTS_TABLE_NAME: 'Tables/Events',
    DEAD_LETTER_QUEUE_URL: 'EventQueue/DeadLetters',
  };
  const verifier = {
    SIGNATURE_HEADER: 'x-brand-signature',
    KEY_SECRET_ARN: 'Verifier/KeySecret',
    EVENT_QUEUE_URL: 'EventQueue/Queue',
    HEARTBEAT_KEY_SECRET_ARN: 'Heartbeat/KeySecret',
  };
  const token = { TOKEN_SECRET_ARN: 'TokenRefresh/TokenSecret' };

  it.each<[construct: string, service: string, expected: object, settings?: object]>([
    ['Verifier', 'verifier', verifier],
    ['Consumer', 'consumer', { EVENT_QUEUE_URL: 'EventQueue/Queue', ...tables }],
    ['OrderQuery', 'order-query', tables],
    ['Operations', 'operations', tables],
    ['OrderFeed', 'order-feed', { FEED_BUS_NAME: 'OrderFeed/Bus' }],
    ['WaitingCount', 'waiting-count', { EVENTS_TABLE_NAME: 'Tables/Events' }],
    ['TokenRefresh', 'token-refresh', { ...token, PAYMENT_SERVICE_BASE_URL: paymentServiceBaseUrl }],
    ['WebhookAudit', 'webhook-audit', { ...audit, ...token }],
    [
      'WebhookAudit',
      'webhook-audit',
      { ...audit, KEY_SECRET_ARN: 'Verifier/KeySecret' },
      { paymentServiceBaseUrl },
    ],
  ])('of %s (%s) name its own resources and its metrics: %j', (construct, service, expected, settings) => {
    const deployed = settings === undefined ? stack : synthesise({ ...settings });
    const { WEBHOOK_URL: _, ...own } = deployed.variablesOf(construct);
    const found = Object.entries(own).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : deployed.pathOf(value),
    ]);
    expect(Object.fromEntries(found)).toEqual({
      ...expected,
      LOG_LEVEL: 'warn',
      POWERTOOLS_SERVICE_NAME: service,
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
    });
  });

  const meanings = '{"charge.lost":"refunded"}';
  it.each([
    [{ eventMeanings: 'charge.lost=refunded' }, ['Consumer', 'Operations'], { EVENT_MEANINGS: meanings }],
    [{ eventRetentionDays: 400 }, ['Consumer', 'Operations'], { EVENT_RETENTION_DAYS: '400' }],
    [{ sequenceBase: 10 }, ['OrderQuery', 'OrderFeed', 'Operations'], { SEQUENCE_BASE: '10' }],
    [
      { paymentServiceBaseUrl, requiredEvents: 'payout.made' },
      ['WebhookAudit'],
      { REQUIRED_EVENTS: 'payout.made' },
    ],
  ])('pass the setting %j on to %j', (settings, constructs, expected) => {
    const { variablesOf } = synthesise(settings);
    for (const construct of constructs) expect(variablesOf(construct)).toMatchObject(expected);
  });
});
