import { describe, expect, it } from 'vitest';
import type { AcknowledgedFinding } from './acknowledged-findings.ts';
import { type Finding, judge } from './judgement.ts';

const reason = 'The signature of the body authorises a webhook.';
const secret: AcknowledgedFinding = { rules: ['SMG4', 'CKV_AWS_149'], on: ['Verifier/KeySecret'], reason };
const logs: AcknowledgedFinding = { rules: ['CKV_AWS_158'], on: ['AWS::Logs::LogGroup'], reason };

const finding = (changes: Partial<Finding>): Finding => ({
  tool: 'checkov',
  variant: 'shipped',
  rule: 'CKV_AWS_149',
  type: 'AWS::SecretsManager::Secret',
  path: 'Verifier/KeySecret/Resource',
  message: 'Ensure that the secret is encrypted using a customer managed key',
  ...changes,
});

const judgeAll = (findings: readonly Finding[], entries: readonly AcknowledgedFinding[]) =>
  judge(findings, entries, () => entries);

describe('a finding', () => {
  it('is accepted when an entry has its rule and a construct around its resource', () => {
    expect(judgeAll([finding({})], [secret])).toMatchObject({ open: [], acknowledged: [finding({})] });
  });

  it('is accepted when an entry has its rule and the type of its resource', () => {
    const group = finding({ rule: 'CKV_AWS_158', type: 'AWS::Logs::LogGroup', path: 'Consumer/Logs' });
    expect(judgeAll([group], [logs]).open).toEqual([]);
  });

  it.each([
    { rule: 'CKV_AWS_150' },
    { path: 'TokenRefresh/TokenSecret/Resource' },
    { path: 'Verifier/KeySecretary/Resource' },
  ])('stays open when no entry has its rule and place: %o', (changes) => {
    expect(judgeAll([finding(changes)], [secret]).open).toEqual([finding(changes)]);
  });

  it('stays open in a variant for whose settings the entry does not hold', () => {
    const shipped = finding({});
    const encrypted = finding({ variant: 'own key' });
    const { open } = judge([shipped, encrypted], [secret], (variant) =>
      variant === 'own key' ? [] : [secret],
    );
    expect(open).toEqual([encrypted]);
  });
});

describe('an entry', () => {
  it('is unused for each of its rules that no finding has, and for each of its places', () => {
    const two = { ...secret, on: ['Verifier/KeySecret', 'AWS::SecretsManager::Secret'] };
    expect(judgeAll([finding({ path: 'TokenRefresh/TokenSecret/Resource' })], [two]).unused).toEqual([
      'SMG4 on Verifier/KeySecret',
      'SMG4 on AWS::SecretsManager::Secret',
      'CKV_AWS_149 on Verifier/KeySecret',
    ]);
  });

  it('is used when it accepts a finding in one variant', () => {
    const found = [finding({}), finding({ rule: 'SMG4', variant: 'throw-away' })];
    expect(judgeAll(found, [secret]).unused).toEqual([]);
  });
});
