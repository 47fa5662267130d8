import { describe, expect, it } from 'vitest';
import { readPolicies } from './iam/stack-policies.ts';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

const settings = variants['oauth'] ?? {};
const standard = synthesise(settings);
const traced = synthesise({ ...settings, tracing: true });
const modesIn = ({ ofType }: typeof standard) =>
  ofType('AWS::Lambda::Function').map(([, { Properties }]) => Properties['TracingConfig']);

/** The statements of each role, by the construct path of the role. */
const statementsOf = (stack: typeof standard): ReadonlyMap<string, readonly unknown[]> =>
  new Map(
    [...readPolicies(stack).roles].map(([path, { policies }]) => [
      path,
      policies.flatMap(({ Statement }) => Statement),
    ]),
  );

describe('the setting tracing', () => {
  it('makes X-Ray trace every function', () => {
    expect(modesIn(traced).length).toBeGreaterThan(7);
    for (const mode of modesIn(traced)) expect(mode).toEqual({ Mode: 'Active' });
  });

  it('is off by default', () => {
    for (const mode of modesIn(standard)) expect(mode).toBeUndefined();
  });

  it('lets every function send segments, and permits nothing else to any role', () => {
    const sending = {
      Effect: 'Allow',
      Action: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
      Resource: '*',
    };
    const before = statementsOf(standard);
    const after = statementsOf(traced);
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [path, statements] of after) {
      const added = path.endsWith('/Function/Role') ? [expect.objectContaining(sending)] : [];
      const others = before.get(path) ?? [];
      expect(statements, path).toHaveLength(others.length + added.length);
      expect(statements, path).toEqual(expect.arrayContaining([...others, ...added]));
    }
  });
});
