import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const paymentServiceBaseUrl = 'https://pay.example.com';
const oauth = { paymentServiceBaseUrl, paymentServiceAuthentication: 'oauth' };

/** With all twelve functions. */
const stack = synthesise({ ...oauth, signatureHeader: 'X-Brand-Signature' });
const functions = stack.propertiesOf('AWS::Lambda::Function');

describe('every function', () => {
  it('runs Node.js 24 on arm64, from the handler index.handler, without source maps, which slow it down', () => {
    expect(functions).toHaveLength(12);
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
});

describe('the environment variables', () => {
  it.each([
    ...['Verifier', 'Consumer', 'OrderQuery', 'Operations', 'OrderFeed', 'WaitingCount'],
    ...['TokenRefresh', 'WebhookAudit', 'Heartbeat', 'HeartbeatReturn', 'Seal', 'SelfCheck'],
  ])('of %s name its metrics, by which alarms find them', (construct) => {
    expect(stack.variablesOf(construct)).toMatchObject({
      POWERTOOLS_SERVICE_NAME: construct.replaceAll(/(?<!^)[A-Z]/g, '-$&').toLowerCase(),
      POWERTOOLS_METRICS_NAMESPACE: 'payhooks/production',
    });
  });

  const meanings = '{"charge.lost":"refunded"}';
  it.each([
    [{ eventMeanings: 'charge.lost=refunded' }, ['Consumer', 'Operations'], { EVENT_MEANINGS: meanings }],
    [{ eventRetentionDays: 400 }, ['Consumer', 'Operations'], { EVENT_RETENTION_DAYS: '400' }],
    [{ approvals: 'admit,erase' }, ['Operations'], { APPROVALS: 'admit,erase' }],
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
