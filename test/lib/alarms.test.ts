import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AlarmName, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import { readPolicies } from './iam/stack-policies.ts';
import { type Resource, type Synthesis, synthesise } from './synthesis.ts';

/**
 * The alarms, written down a second time: what each watches, from which value on it fires, and what it does without
 * data; most are then over.
 */
const always = {
  ChangesLate: 'payhooks/production order-feed ChangeLag Maximum >= 20 in 300 s',
  DeadLettersExpiring:
    'AWS/SQS EventQueue/DeadLetters ApproximateAgeOfOldestMessage Maximum >= 864000 in 300 s',
  DeadLettersPresent:
    'AWS/SQS EventQueue/DeadLetters ApproximateNumberOfMessagesVisible Maximum >= 1 in 300 s',
  DecisionsWaiting:
    'FILL(value, 1) of waiting-count DecisionsWaiting Maximum >= 1 in 600 s, fires if missing',
  EventsDelayed:
    'MAX([FILL(waiting, 0), FILL(retried, 0)]) of EventQueue/Queue ApproximateAgeOfOldestMessage Maximum, ' +
    'consumer RetriedRecordAge Maximum >= 900 in 600 s',
  EventsWithoutOrder:
    '2 * FILL(waiting, 0) - FILL(recorded, 0) of consumer EventsBeganToWait Sum, ' +
    'EventQueue/Queue NumberOfMessagesDeleted Sum >= 10 in 3600 s',
  FeedDelayed: 'AWS/Lambda OrderFeed/Function/Lambda IteratorAge Maximum >= 900000 in 300 s',
  FeedFailuresPresent: 'AWS/SQS OrderFeed/Failures ApproximateNumberOfMessagesVisible Maximum >= 1 in 300 s',
  ForgeriesFound: 'payhooks/production ForgeriesFound Sum >= 1 in 300 s',
  HeartbeatMissing:
    'FILL(value, 1) of HeartbeatReturn/Function/Lambda Errors Minimum >= 1 in 12 x 60 s, fires if missing',
  RotationFailed: 'FILL(errors0, 0) of Seal/Function/Lambda Errors Sum >= 1 in 300 s',
  SafeguardsOff:
    'FILL(value, 1) of SelfCheck/Function/Lambda Errors Minimum >= 1 in 7200 s, fires if missing',
  WaitingKindsAdded: 'payhooks/production waiting-count WaitingKindsAdded Sum >= 1 in 300 s',
  WebhooksFlooding: 'AWS/ApiGateway Verifier/Endpoint/Api Count Sum >= 100001 in 3600 s',
  WebhooksRefused:
    'FILL(refused, 0) - 0.05 * FILL(accepted, 0) of WebhooksRefused Sum, ' +
    'EventQueue/Queue NumberOfMessagesSent Sum >= 1 in 3600 s',
  WebhooksSlow: 'FILL(value, 0) of Verifier/Endpoint/Api Latency p99 >= 3000 in 3 x 300 s',
  WebhookServerErrors: 'AWS/ApiGateway Verifier/Endpoint/Api 5xx Sum >= 1 in 300 s',
};

const withPaymentService = {
  WebhookAuditFindings: 'payhooks/production webhook-audit WebhookAuditFindings Maximum >= 1 in 3600 s',
  WebhookAuditIncomplete:
    'FILL(value, 1) of webhook-audit WebhookAuditFindings Minimum >= 1 in 3600 s, fires if missing',
};

const certificate = 'arn:aws:acm:eu-central-1:111122223333:certificate/one';
const withOtherSettings = {
  ConsumerErrors: 'AWS/Lambda Consumer/Function/Lambda Errors Sum >= 1 in 300 s',
  RecordsRetried: 'FILL(value, 0) of consumer RecordsRetried Sum >= 20 in 2 x 300 s',
  BackupFailed: 'AWS/Backup Backups/Vault NumberOfBackupJobsFailed Sum >= 1 in 86400 s',
  RotationFailed:
    'FILL(errors0, 0) + FILL(errors1, 0) of Seal/Function/Lambda Errors Sum, ' +
    'TokenRefresh/Function/Lambda Errors Sum >= 1 in 300 s',
  WebhooksSilent: 'FILL(value, 0) of verifier WebhooksAccepted Sum < 1 in 48 x 3600 s, fires if missing',
  WebhookCertificateExpiring: `FILL(value, 0) of ${certificate} DaysToExpiry Minimum < 30 in 86400 s, fires if missing`,
};

const paymentServiceBaseUrl = 'https://pay.example.com';
const stack = synthesise({
  alarmEmail: 'operator@example.com',
  expectWebhooksWithin: '2d',
  rollout: 'LambdaCanary10Percent15Minutes',
  approvals: 'erase',
  backupRetentionDays: 90,
  paymentServiceBaseUrl,
  paymentServiceAuthentication: 'oauth',
  webhookDomainName: 'hooks.example.com',
  webhookCertificateArn: certificate,
});

/** The alarms by name, without the name of the stack. */
const alarmsOf = ({ propertiesOf }: Synthesis) =>
  new Map(
    propertiesOf('AWS::CloudWatch::Alarm').map((alarm) => [
      String(alarm['AlarmName']).replace('payhooks-production-', ''),
      alarm,
    ]),
  );
const alarms = alarmsOf(stack);

interface MetricPart {
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: { readonly MetricName: string; readonly Dimensions: unknown };
    readonly Period: number;
    readonly Stat: string;
  };
}

function summarise(alarm: Resource['Properties']): string {
  const dimension = (dimensions: unknown = []): string[] => {
    const [first] = dimensions as readonly { Value: unknown }[];
    if (first === undefined) return [];
    return [typeof first.Value === 'string' ? first.Value : stack.pathOf(first.Value)];
  };
  const { Threshold, EvaluationPeriods } = alarm;
  const comparator = alarm['ComparisonOperator'] === 'LessThanThreshold' ? '<' : '>=';
  const periods = EvaluationPeriods === 1 ? '' : `${EvaluationPeriods} x `;
  const missing = { ignore: ', kept if missing', breaching: ', fires if missing', notBreaching: '' };
  const withoutData = missing[alarm['TreatMissingData'] as keyof typeof missing];
  const condition = (period: unknown): string =>
    `${comparator} ${Threshold} in ${periods}${period} s${withoutData}`;
  if (alarm['Metrics'] !== undefined) {
    const parts = alarm['Metrics'] as readonly MetricPart[];
    const stats = parts.flatMap(({ MetricStat }) => MetricStat ?? []);
    const metrics = stats.map(({ Metric, Stat }) =>
      [...dimension(Metric.Dimensions), Metric.MetricName, Stat].join(' '),
    );
    const expression = parts.find((part) => part.Expression !== undefined)?.Expression;
    return `${expression} of ${metrics.join(', ')} ${condition(stats[0]?.Period)}`;
  }
  const { Namespace, Dimensions, MetricName, Statistic, Period } = alarm;
  return [Namespace, ...dimension(Dimensions), MetricName, Statistic, condition(Period)].join(' ');
}

describe('the alarms', () => {
  const listed = { ...always, ...withPaymentService, ...withOtherSettings };

  it('watch the metrics and thresholds that are listed here, and are those of the guide', () => {
    const found = Object.fromEntries([...alarms].map(([name, alarm]) => [name, summarise(alarm)]));
    expect(found).toEqual(listed);
    expect(Object.keys(listed).sort()).toEqual(Object.keys(alarmGuide).sort());
  });

  it('fill their metrics where they fire below a threshold, without data, or after several periods', () => {
    const watching = Object.values(listed).filter((text) => / < |fires if missing| \d+ x /.test(text));
    expect(watching.length).toBeGreaterThan(5);
    // CloudWatch would look for older periods with data.
    for (const text of watching) {
      const [expression = '', metrics = ''] = text.replace(', fires if missing', '').split(' of ');
      expect(expression.match(/FILL\(\w+, [01]\)/g), text).toHaveLength(metrics.split(', ').length);
    }
  });

  it.each([
    ['without a payment service', {}, always],
    ['with a payment service', { paymentServiceBaseUrl }, { ...always, ...withPaymentService }],
  ])('cover only what is deployed %s', (_, settings, expected) => {
    expect([...alarmsOf(synthesise(settings)).keys()].sort()).toEqual(Object.keys(expected).sort());
  });

  it('describe meaning, severity, next command and section of the runbook, in the 1,024 characters that fit', () => {
    const runbookUrl = `https://wiki.example.com/${'r'.repeat(487)}`;
    for (const [name, alarm] of alarmsOf(synthesise({ runbookUrl }))) {
      expect(alarm['AlarmDescription'], name).toMatch(
        new RegExp(
          '^(?=[^]{0,1024}$)[A-Z].{20,200}\\.\nSeverity: (now|today|this week)\nEnds: (by itself, |when ).+\n' +
            `Next: npx payhooks [a-z].* --stack payhooks-production\nRunbook: ${runbookUrl}#${name.toLowerCase()}$`,
        ),
      );
    }
    expect(alarms.get('FeedDelayed')?.['AlarmDescription']).toMatch(/Runbook: docs\/runbook.md#feeddelayed$/);
  });

  it.each([
    ['EventsWithoutOrder', 'by itself, once 60 minutes in a row stayed below 10'],
    ['ForgeriesFound', 'by itself, once 5 minutes in a row had none'],
    ['DecisionsWaiting', 'by itself, 10 minutes after nothing is left'],
    ['HeartbeatMissing', 'by itself, once it works again'],
  ])('describe when %s ends: %s', (name, end) => {
    expect(alarms.get(name)?.['AlarmDescription']).toContain(`\nEnds: ${end}\n`);
  });
});

it('the filter of the access log counts in the unit of the functions: with two, alarms are not defined', () => {
  const { MetricTransformations } = stack.only('AWS::Logs::MetricFilter').Properties;
  expect(MetricTransformations).toMatchObject([{ MetricName: 'WebhooksRefused', Unit: 'Count' }]);
});

describe('every alarm notifies, when it fires and when it ends,', () => {
  const pages = 'arn:aws:sns:eu-central-1:111122223333:pages';
  const tickets = 'arn:aws:sns:eu-central-1:111122223333:tickets';
  const ownTopic = { Ref: stack.idAt('Alarms/Topic') };

  it.each<[title: string, settings: object, page: unknown, ticket: unknown]>([
    ['the topic of the stack', {}, ownTopic, ownTopic],
    ['the topic of alarmTopicArn', { alarmTopicArn: pages }, pages, pages],
    ['the topic of its severity with ticketTopicArn', { ticketTopicArn: tickets }, ownTopic, tickets],
    ['existing topics alone', { alarmTopicArn: pages, ticketTopicArn: tickets }, pages, tickets],
  ])('%s', (_, settings, page, ticket) => {
    const notifying = synthesise({ ...settings });
    for (const [name, { AlarmActions, OKActions }] of alarmsOf(notifying)) {
      const expected = [alarmGuide[name as AlarmName].severity === 'now' ? page : ticket];
      expect([AlarmActions, OKActions], name).toEqual([expected, expected]);
    }
    expect(notifying.outputs['AlarmTopicArn']?.Value).toEqual(page);
    expect(notifying.outputs['TicketTopicArn']?.Value).toEqual(ticket === page ? undefined : ticket);
    const own = [...notifying.resources.values()].filter(({ Type }) => /^AWS::(SNS|KMS)::/.test(Type));
    expect(own).toHaveLength(page === pages ? 0 : 2);
  });
});

describe('the alarm topic', () => {
  it('sends e-mail to the configured address', () => {
    expect(stack.only('AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: 'operator@example.com',
    });
  });

  it('and its key have the policies that docs/settings.md gives to existing ones', () => {
    const withKey = synthesise({ encryptionKeyArn: 'own' });
    const document = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');
    const [, section = ''] = document.split('\n## Existing topics for alarms\n');
    const { arnAt, policiesOf } = readPolicies(withKey);
    const topic = arnAt('Alarms/Topic');
    const documented = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) =>
      JSON.parse(json.replaceAll('arn:aws:sns:eu-central-1:111122223333:alarms', topic)),
    );
    const statementsOf = (arn: string) => policiesOf(arn).flatMap(({ Statement }) => Statement);
    expect(documented.length).toBeGreaterThanOrEqual(2);
    expect(statementsOf(topic)).toContainEqual(expect.objectContaining(documented[0]));
    expect(statementsOf(arnAt('Alarms/Key'))).toContainEqual(expect.objectContaining(documented[1]));
  });
});
