import type { Synthesis } from '../synthesis.ts';

const heartbeatGroups = [
  ...['Verifier/Function/Logs', 'Verifier/Endpoint/AccessLogs', 'Consumer/Function/Logs'],
  'OrderFeed/Function/Logs',
];

type Values = Readonly<Record<string, number>>;

/** The metrics that AWS emits about what it saw of a stack. A path is that of a construct. */
export function createAwsMetrics(
  stack: Synthesis,
  onLine: (line: string) => void,
  deletedLogs: ReadonlySet<string> = new Set(),
) {
  const emit = (Namespace: string, dimensions: Readonly<Record<string, string>>, values: Values): void => {
    const metrics = Object.keys(values).map((Name) => ({ Name }));
    const directive = { Namespace, Dimensions: [Object.keys(dimensions)], Metrics: metrics };
    onLine(JSON.stringify({ _aws: { CloudWatchMetrics: [directive] }, ...dimensions, ...values }));
  };
  const ofFunction = (construct: string, values: Values): void =>
    emit('AWS/Lambda', { FunctionName: `${construct}/Function/Lambda` }, values);
  const logged = (LogGroupName: string, lines: number): void => {
    if (lines > 0 && !deletedLogs.has(LogGroupName))
      emit('AWS/Logs', { LogGroupName }, { IncomingLogEvents: lines });
  };
  const [domain] = stack.propertiesOf('AWS::ApiGatewayV2::DomainName');
  const [served] = (domain?.['DomainNameConfigurations'] ?? []) as readonly Readonly<
    Record<string, string>
  >[];
  const filters = stack.propertiesOf('AWS::Logs::MetricFilter').map((filter) => readFilter(stack, filter));

  return {
    /** Lambda itself writes a line about an invocation that failed, and none about any other. */
    invoked(
      construct: string,
      { failed, lines }: { readonly failed: boolean; readonly lines: number },
    ): void {
      ofFunction(construct, { Invocations: 1, Errors: Number(failed) });
      logged(`${construct}/Function/Logs`, lines + Number(failed));
    },
    /** What a heartbeat leaves, for tests of many hours that are about something else. */
    assumeHeartbeat(isReturned: boolean): void {
      for (const group of heartbeatGroups) logged(group, 1);
      if (isReturned) emit('payhooks/production', { service: 'heartbeat' }, { HeartbeatReturned: 1 });
    },
    /** A throttled invocation is not counted as one. */
    throttled: (construct: string): void => ofFunction(construct, { Throttles: 1 }),
    streamRead: (construct: string, milliseconds: number): void =>
      ofFunction(construct, { IteratorAge: milliseconds }),
    destinationFailed: (construct: string): void => ofFunction(construct, { DestinationDeliveryFailures: 1 }),
    /** API Gateway counts the response and logs it; the filters of its access log count it too. */
    responded(construct: string, status: number): void {
      const values = { Count: 1, '4xx': Number(status >= 400 && status < 500), '5xx': Number(status >= 500) };
      emit('AWS/ApiGateway', { ApiId: `${construct}/Endpoint/Api` }, values);
      logged(`${construct}/Endpoint/AccessLogs`, 1);
      const line = accessLogLine(stack, construct, status);
      for (const { logGroup, matches, namespace, metric } of filters) {
        if (logGroup === `${construct}/Endpoint/AccessLogs` && matches(line))
          emit(namespace, {}, { [metric]: 1 });
      }
    },
    messagesSent: (path: string, NumberOfMessagesSent: number): void =>
      emit('AWS/SQS', { QueueName: path }, { NumberOfMessagesSent }),
    queue: (path: string, values: { readonly visible: number; readonly oldestSeconds: number }): void =>
      emit(
        'AWS/SQS',
        { QueueName: path },
        {
          ApproximateNumberOfMessagesVisible: values.visible,
          ApproximateAgeOfOldestMessage: values.oldestSeconds,
        },
      ),
    /** ACM reports the certificate of the domain twice a day. */
    certificate: (DaysToExpiry: number): void =>
      emit('AWS/CertificateManager', { CertificateArn: served?.['CertificateArn'] ?? '' }, { DaysToExpiry }),
  };
}

/** A line of an access log; what is not the status does not matter here. */
function accessLogLine(
  stack: Synthesis,
  construct: string,
  status: number,
): Readonly<Record<string, string>> {
  const { AccessLogSettings } = stack.at(`${construct}/Endpoint/Stage`).Properties;
  const { Format } = AccessLogSettings as { readonly Format: string };
  return JSON.parse(Format.replace('$context.status', String(status)));
}

/** A metric filter for lines whose field has a text. Throws for any other pattern. */
function readFilter(stack: Synthesis, properties: Readonly<Record<string, unknown>>) {
  const [, field = '', text] = /^\{ \$\.(\w+) = "(\w+)" \}$/.exec(String(properties['FilterPattern'])) ?? [];
  if (text === undefined)
    throw new Error(`No filter is emulated with the pattern ${properties['FilterPattern']}.`);
  const [transformation] = properties['MetricTransformations'] as readonly Readonly<Record<string, string>>[];
  return {
    logGroup: stack.pathOf(properties['LogGroupName']),
    matches: (line: Readonly<Record<string, string>>) => line[field] === text,
    namespace: transformation?.['MetricNamespace'] ?? '',
    metric: transformation?.['MetricName'] ?? '',
  };
}
