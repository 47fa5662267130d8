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
  it.each<[title: string, found: Finding, entry: AcknowledgedFinding, isAccepted: boolean]>([
    ['a construct around its resource', finding({}), secret, true],
    ['the type of its resource', finding({ rule: 'CKV_AWS_158', type: 'AWS::Logs::LogGroup' }), logs, true],
    ['another rule', finding({ rule: 'CKV_AWS_150' }), secret, false],
    ['another place', finding({ path: 'Verifier/KeySecretary/Resource' }), secret, false],
  ])('is judged by an entry with %s', (_, found, entry, isAccepted) => {
    expect(judgeAll([found], [entry]).open).toEqual(isAccepted ? [] : [found]);
  });

  it('stays open in a variant for whose settings the entry does not hold', () => {
    const encrypted = finding({ variant: 'own key' });
    const entriesOf = (variant: string) => (variant === 'own key' ? [] : [secret]);
    expect(judge([finding({}), encrypted], [secret], entriesOf).open).toEqual([encrypted]);
  });
});

it('an entry is unused for each of its rules and places that no finding in any variant has', () => {
  const found = [finding({}), finding({ rule: 'SMG4', variant: 'throw-away' })];
  expect(judgeAll(found, [secret]).unused).toEqual([]);
  const two = { ...secret, on: ['Verifier/KeySecret', 'AWS::SecretsManager::Secret'] };
  expect(judgeAll([finding({ path: 'TokenRefresh/TokenSecret/Resource' })], [two]).unused).toEqual([
    'SMG4 on Verifier/KeySecret',
    'SMG4 on AWS::SecretsManager::Secret',
    'CKV_AWS_149 on Verifier/KeySecret',
  ]);
});
