import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTelemetry } from '../lambdas/aws/telemetry.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

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
