import { describe, expect, it, vi } from 'vitest';
import { createTelemetry } from '../../../lambdas/aws/telemetry.ts';

/** What a function with this `LOG_LEVEL` writes; Lambda sets the other two variables with the JSON format. */
function written(logLevel: string, use: (telemetry: ReturnType<typeof createTelemetry>) => void) {
  vi.stubEnv('LOG_LEVEL', logLevel);
  vi.stubEnv('AWS_LAMBDA_LOG_FORMAT', 'JSON');
  vi.stubEnv('AWS_LAMBDA_LOG_LEVEL', 'INFO');
  vi.stubEnv('POWERTOOLS_SERVICE_NAME', 'verifier');
  vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'payhooks/test');
  const lines: string[] = [];
  for (const output of [process.stdout, process.stderr])
    vi.spyOn(output, 'write').mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  use(createTelemetry());
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

it.each([
  ['warn', 'notices, warnings and errors', []],
  ['info', 'also what went well', [['INFO', 'a info']]],
])('a function at the level %s writes %s', (logLevel, _, more) => {
  const lines = written(logLevel, ({ log }) => {
    for (const level of ['info', 'notice', 'warn', 'error'] as const) log(level, `a ${level}`);
  });
  const usual = [
    ['INFO', 'a notice'],
    ['WARN', 'a warn'],
    ['ERROR', 'a error'],
  ];
  expect(lines.map(({ level, message }) => [level, message])).toEqual([...more, ...usual]);
});

describe('a metric', () => {
  it('is written in the embedded format of CloudWatch, with the service as its only dimension', () => {
    vi.spyOn(Date, 'now').mockReturnValue(1_763_717_415_123);
    const lines = written('warn', ({ count, measure, flush }) => {
      measure('ChangeLag', 1.5, 'Seconds');
      measure('ChangeLag', 2, 'Seconds');
      count('SignatureMismatch', 55);
      count('KeysUnavailable');
      flush();
      flush();
    });
    const Metrics = [
      { Name: 'ChangeLag', Unit: 'Seconds' },
      { Name: 'SignatureMismatch', Unit: 'Count' },
      { Name: 'KeysUnavailable', Unit: 'Count' },
    ];
    const CloudWatchMetrics = [{ Namespace: 'payhooks/test', Dimensions: [['service']], Metrics }];
    const values = { ChangeLag: [1.5, 2], SignatureMismatch: 55, KeysUnavailable: 1 };
    const _aws = { Timestamp: 1_763_717_415_123, CloudWatchMetrics };
    expect(lines).toEqual([{ _aws, service: 'verifier', ...values }]);
  });

  it('of all stages has no dimension, so that one alarm over one metric is enough', () => {
    const lines = written('warn', ({ count, flush }) => {
      count('ForgeriesFound');
      count('KeysUnavailable');
      flush();
    });
    expect(lines).toMatchObject([
      { _aws: { CloudWatchMetrics: [{ Dimensions: [[]] }] }, ForgeriesFound: 1 },
      { _aws: { CloudWatchMetrics: [{ Dimensions: [['service']] }] }, KeysUnavailable: 1 },
    ]);
  });

  it('has at most 100 values in a line, which CloudWatch would otherwise drop', () => {
    const lines = written('warn', ({ count, flush }) => {
      for (let index = 0; index < 150; index += 1) count('KeysUnavailable');
      flush();
    });
    const values = lines.map((line) => line['KeysUnavailable'] as number[]);
    expect(values.map((one) => one.length)).toEqual([100, 50]);
  });
});

it.each([
  [
    'the root of its trace, wherever the header has it',
    'Self=1-a;Root=1-b;Sampled=0',
    { xray_trace_id: '1-b' },
  ],
  ['no trace when the header names none', 'Parent=557abcec3ee5a047;Sampled=0', {}],
])('a log line is one JSON object with its level, time, service, fields and %s', (_, header, trace) => {
  vi.stubEnv('_X_AMZN_TRACE_ID', header);
  const fields = { reason: 'x', absent: undefined };
  const [line] = written('warn', ({ log }) => log('error', 'a\nfailure', () => fields));
  expect(line).toEqual({
    ...{ level: 'ERROR', message: 'a\nfailure', service: 'verifier', reason: 'x', ...trace },
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
});
