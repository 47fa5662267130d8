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

const logAll = (telemetry: ReturnType<typeof createTelemetry>): void => {
  for (const level of ['info', 'notice', 'warn', 'error'] as const) telemetry.log(level, `a ${level}`);
};

describe('the telemetry of a function', () => {
  it('writes no byte about what went well', () => {
    expect(
      written('warn', ({ log, flush }) => {
        log('info', 'event handled', { event_id: 'evt-1' });
        flush();
      }),
    ).toEqual([]);
  });

  it('writes notices, warnings and errors at every level', () => {
    expect(written('warn', logAll).map(({ level, message }) => [level, message])).toEqual([
      ['INFO', 'a notice'],
      ['WARN', 'a warn'],
      ['ERROR', 'a error'],
    ]);
  });

  it('also writes what went well at the level info', () => {
    expect(written('info', logAll).map(({ message }) => message)).toContain('a info');
  });

  it('writes metrics at the level warn, a sum as one value', () => {
    const [line] = written('warn', ({ count, flush }) => {
      count('SignatureMismatch', 55);
      flush();
    });
    expect(line).toMatchObject({ service: 'verifier', SignatureMismatch: 55, _aws: expect.anything() });
  });
});

describe('a metric', () => {
  it('is written in the embedded format of CloudWatch, with the service as its only dimension', () => {
    vi.spyOn(Date, 'now').mockReturnValue(1_763_717_415_123);
    const lines = written('warn', ({ count, measure, flush }) => {
      measure('ChangeLag', 1.5, 'Seconds');
      measure('ChangeLag', 2, 'Seconds');
      count('SecretReadFailed');
      flush();
      flush();
    });
    expect(lines).toEqual([
      {
        _aws: {
          Timestamp: 1_763_717_415_123,
          CloudWatchMetrics: [
            {
              Namespace: 'payhooks/test',
              Dimensions: [['service']],
              Metrics: [
                { Name: 'ChangeLag', Unit: 'Seconds' },
                { Name: 'SecretReadFailed', Unit: 'Count' },
              ],
            },
          ],
        },
        service: 'verifier',
        ChangeLag: [1.5, 2],
        SecretReadFailed: 1,
      },
    ]);
  });

  it('has at most 100 values in a line, which CloudWatch would otherwise drop', () => {
    const lines = written('warn', ({ count, flush }) => {
      for (let index = 0; index < 150; index += 1) count('SecretReadFailed');
      flush();
    });
    const values = lines.map((line) => line['SecretReadFailed'] as number[]);
    expect(values.map((one) => one.length)).toEqual([100, 50]);
  });
});

describe('a log line', () => {
  it.each([
    ['the root of its trace, wherever the header has it', 'Self=1-a;Root=1-b;Sampled=0', '1-b'],
    ['no trace when the header names none', 'Parent=557abcec3ee5a047;Sampled=0', undefined],
  ])('has %s', (_, header, trace) => {
    vi.stubEnv('_X_AMZN_TRACE_ID', header);
    const [line] = written('warn', ({ log }) => log('error', 'a failure'));
    expect(line?.['xray_trace_id']).toBe(trace);
  });

  it('is one JSON object with its level, time, service, trace and fields', () => {
    vi.stubEnv(
      '_X_AMZN_TRACE_ID',
      'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=557abcec3ee5a047;Sampled=0',
    );
    const [line] = written('warn', ({ log }) =>
      log('error', 'a\nfailure', { reason: 'x', absent: undefined }),
    );
    expect(line).toEqual({
      level: 'ERROR',
      message: 'a\nfailure',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      service: 'verifier',
      xray_trace_id: '1-5759e988-bd862e3fe1be46a994272793',
      reason: 'x',
    });
  });
});
