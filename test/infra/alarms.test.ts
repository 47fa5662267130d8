import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Resource, referenced, type Synthesis, synthesiseAll } from './synthesis.ts';

const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

/** What rings when, written down a second time: the alarm, what it looks at, and from which value on. */
const always = {
  BodiesTooLarge: 'payhooks/production verifier BodyTooLarge Sum >= 1 in 300 s',
  ConsumerErrors: 'AWS/Lambda Consumer/Function/Lambda Errors Sum >= 1 in 300 s',
  DeadLettersPresent:
    'AWS/SQS EventQueue/DeadLetters ApproximateNumberOfMessagesVisible Maximum >= 1 in 300 s',
  EventConflicts: 'payhooks/production consumer EventConflicts Sum >= 1 in 300 s',
  EventsDelayed: 'AWS/SQS EventQueue/Queue ApproximateAgeOfOldestMessage Maximum >= 900 in 300 s',
  EventsQuarantined: 'payhooks/production consumer EventsQuarantined Sum >= 1 in 300 s',
  EventsUnrecognised: 'payhooks/production consumer EventsUnrecognised Sum >= 1 in 300 s',
  FeedDelayed: 'AWS/Lambda OrderFeed/Function/Lambda IteratorAge Maximum >= 900000 in 300 s',
  FeedErrors: 'AWS/Lambda OrderFeed/Function/Lambda Errors Sum >= 1 in 300 s',
  FeedFailuresLost: 'AWS/Lambda OrderFeed/Function/Lambda DestinationDeliveryFailures Sum >= 1 in 300 s',
  FeedFailuresPresent: 'AWS/SQS OrderFeed/Failures ApproximateNumberOfMessagesVisible Maximum >= 1 in 300 s',
  KeysUnavailable: 'payhooks/production verifier KeysUnavailable Sum >= 1 in 300 s',
  OrderQueryServerErrors: 'AWS/ApiGateway OrderQuery/Endpoint/Api 5xx Sum >= 1 in 300 s',
  QueueUnavailable: 'payhooks/production verifier QueueUnavailable Sum >= 1 in 300 s',
  SecretReadFailed: 'payhooks/production verifier SecretReadFailed Sum >= 1 in 3 x 300 s',
  SignatureMismatches: 'payhooks/production verifier SignatureMismatch Sum >= 5 in 3600 s',
  SignaturesUnreadable:
    'FILL(missing, 0) + FILL(malformed, 0) of verifier SignatureMissing, verifier SignatureMalformed >= 20',
  VerifierErrors: 'AWS/Lambda Verifier/Function/Lambda Errors Sum >= 1 in 300 s',
  VerifierThrottles: 'AWS/Lambda Verifier/Function/Lambda Throttles Sum >= 1 in 300 s',
  WebhookServerErrors: 'AWS/ApiGateway Verifier/Endpoint/Api 5xx Sum >= 1 in 300 s',
};

const withPaymentService = {
  AuditCredentialRefused: 'payhooks/production webhook-audit AuditCredentialRefused Sum >= 1 in 3600 s',
  AuditServiceUnreachable: 'payhooks/production webhook-audit AuditServiceUnreachable Sum >= 2 in 1800 s',
  WebhookAuditErrors: 'AWS/Lambda WebhookAudit/Function/Lambda Errors Sum >= 1 in 3600 s',
  WebhookAuditSilent: 'AWS/Lambda WebhookAudit/Function/Lambda Invocations Sum < 1 in 3600 s',
  WebhookEventMissing: 'payhooks/production webhook-audit WebhookEventMissing Sum >= 1 in 3600 s',
  WebhookNotLive: 'payhooks/production webhook-audit WebhookNotLive Sum >= 1 in 3600 s',
  WebhookNotRegistered: 'payhooks/production webhook-audit WebhookNotRegistered Sum >= 1 in 3600 s',
  WebhookRegisteredTwice: 'payhooks/production webhook-audit WebhookRegisteredTwice Sum >= 1 in 3600 s',
};

const withOauth = {
  TokenRefreshFailed:
    'FILL(failed, 0) + FILL(crashed, 0) of token-refresh TokenRefreshFailed, TokenRefresh/Function/Lambda Errors >= 1',
};

const certificate = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
const withDomain = {
  WebhookCertificateExpiring: `AWS/CertificateManager ${certificate} DaysToExpiry Minimum < 30 in 86400 s`,
};

const expected = { ...always, ...withPaymentService, ...withOauth, ...withDomain };
const names = Object.keys(expected).sort();

interface MetricPart {
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly { Value: unknown }[] };
  };
}

type Alarms = [name: string, alarm: Resource['Properties']][];

/** With every option that has an alarm. */
let stack: Synthesis;
let alarms: Alarms;
let plain: Synthesis;
let askingByKey: Synthesis;
beforeAll(() => {
  const paymentServiceBaseUrl = 'https://pay.example.com';
  [stack, plain, askingByKey] = synthesiseAll(
    {
      alarmEmail: 'operator@example.com',
      paymentServiceBaseUrl,
      paymentServiceAuthentication: 'oauth',
      webhookDomainName: 'hooks.example.com',
      webhookCertificateArn: certificate,
    },
    { environmentName: 'plain' },
    { environmentName: 'key', paymentServiceBaseUrl },
  );
  alarms = alarmsOf(stack);
});

const alarmsOf = ({ ofType }: Synthesis): Alarms =>
  ofType('AWS::CloudWatch::Alarm').map(([, { Properties }]) => [
    String(Properties['AlarmName']).replace(/^payhooks-[a-z]+-/, ''),
    Properties,
  ]);

function describeAlarm(alarm: Resource['Properties']): string {
  const dimension = (dimensions: unknown): string => {
    const value = (dimensions as readonly { Value: unknown }[])[0]?.Value;
    return typeof value === 'string' ? value : stack.pathOf(referenced(value));
  };
  if (alarm['Metrics'] !== undefined) {
    const parts = alarm['Metrics'] as readonly MetricPart[];
    const metrics = parts.flatMap(({ MetricStat }) =>
      MetricStat === undefined
        ? []
        : [`${dimension(MetricStat.Metric.Dimensions)} ${MetricStat.Metric.MetricName}`],
    );
    const expression = parts.find((part) => part.Expression !== undefined)?.Expression;
    return `${expression} of ${metrics.join(', ')} >= ${alarm['Threshold']}`;
  }
  const { Namespace, MetricName, Statistic, Threshold, Period, EvaluationPeriods } = alarm;
  const periods = EvaluationPeriods === 1 ? '' : `${EvaluationPeriods} x `;
  const watched = `${Namespace} ${dimension(alarm['Dimensions'])} ${MetricName} ${Statistic}`;
  const comparator = alarm['ComparisonOperator'] === 'LessThanThreshold' ? '<' : '>=';
  return `${watched} ${comparator} ${Threshold} in ${periods}${Period} s`;
}

describe('the alarms', () => {
  it('watch what they say', () => {
    const described = Object.fromEntries(alarms.map(([name, alarm]) => [name, describeAlarm(alarm)]));
    expect(described).toEqual(expected);
  });

  it('of audit, token and certificate are there where there is one', () => {
    expect(
      alarmsOf(plain)
        .map(([name]) => name)
        .sort(),
    ).toEqual(Object.keys(always).sort());
    expect(
      alarmsOf(askingByKey)
        .map(([name]) => name)
        .sort(),
    ).toEqual(Object.keys({ ...always, ...withPaymentService }).sort());
  });

  it('stay silent when nothing is counted, but for those that wait for an audit or a certificate', () => {
    const waiting = ['WebhookAuditSilent', 'WebhookCertificateExpiring'];
    for (const [name, alarm] of alarms) {
      expect(alarm, name).toMatchObject(
        waiting.includes(name)
          ? { TreatMissingData: 'breaching', ComparisonOperator: 'LessThanThreshold' }
          : { TreatMissingData: 'notBreaching', ComparisonOperator: 'GreaterThanOrEqualToThreshold' },
      );
    }
  });

  it('tell the topic when they ring and when it is over', () => {
    const [topic] = stack.ofType('AWS::SNS::Topic').map(([id]) => [{ Ref: id }]);
    expect(topic).toBeDefined();
    for (const [, alarm] of alarms) {
      expect(alarm).toMatchObject({ AlarmActions: topic, OKActions: topic });
    }
  });
});

describe('the runbook', () => {
  it('has a section for each alarm, with its meaning, what to investigate and how to resolve it', () => {
    for (const name of names) {
      const section = runbook.split(/^## /m).find((part) => part.startsWith(`${name}\n`));
      expect(section, name).toMatch(/\*\*Meaning\.\*\*[\s\S]+\*\*Investigate\.\*\*[\s\S]+\*\*Resolve\.\*\*/);
    }
    expect(alarms.map(([name]) => name).sort()).toEqual(names);
  });

  it('has no section for an alarm that does not exist', () => {
    const sections = [...runbook.matchAll(/^## ([A-Z]\w+)$/gm)].map(([, name]) => name);
    expect(sections.sort()).toEqual(names);
  });

  it('is named in each alarm by the heading', () => {
    for (const [name, alarm] of alarms) {
      expect(alarm['AlarmDescription']).toMatch(new RegExp(`docs/runbook\\.md#${name.toLowerCase()}$`));
    }
  });

  it('names only outputs that the stack has', () => {
    const named = [...runbook.matchAll(/`?\b([A-Z][A-Za-z]+(?:Arn|Url|LogGroup|TableName|PrivateKey))\b/g)];
    expect(named.length).toBeGreaterThan(10);
    for (const [, name] of named) expect(Object.keys(stack.outputs)).toContain(name);
  });
});

describe('the alarm topic', () => {
  const fromAlarms = {
    Effect: 'Allow',
    Principal: { Service: 'cloudwatch.amazonaws.com' },
    Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
  };

  it('sends to the configured address', () => {
    expect(stack.only('AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'operator@example.com',
    });
  });

  it('takes messages from the alarms of this account, and none without TLS', () => {
    expect(stack.only('AWS::SNS::TopicPolicy').Properties['PolicyDocument']).toMatchObject({
      Statement: [
        { Effect: 'Deny', Action: 'sns:Publish', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        { ...fromAlarms, Action: 'sns:Publish' },
      ],
    });
  });

  it('is encrypted with a key that the alarms may use', () => {
    const [[keyId, key] = ['', undefined]] = stack.ofType('AWS::KMS::Key');
    expect(referenced(stack.only('AWS::SNS::Topic').Properties['KmsMasterKeyId'])).toBe(keyId);
    expect(key?.Properties).toMatchObject({
      EnableKeyRotation: true,
      KeyPolicy: {
        Statement: expect.arrayContaining([
          expect.objectContaining({ ...fromAlarms, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'] }),
        ]),
      },
    });
  });
});
