import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { GithubDeployRole } from '../../lib/github-deploy-role.ts';

function synthesiseRole(providerArn?: string) {
  const stack = new GithubDeployRole(new App(), 'role', {
    repository: 'your-shop/payhooks',
    environments: ['development', 'production'],
    providerArn,
  });
  const template = Template.fromStack(stack);
  const [role] = Object.values(template.findResources('AWS::IAM::Role'));
  const [policy] = Object.values(template.findResources('AWS::IAM::Policy'));
  return { template, role: role?.['Properties'], policy: policy?.['Properties'] };
}

describe('the role of GitHub Actions', () => {
  const { role, policy } = synthesiseRole();

  it('is assumable only from the two environments of one repository', () => {
    expect(role.AssumeRolePolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: expect.anything() },
        Condition: {
          StringEquals: {
            'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
            'token.actions.githubusercontent.com:sub': [
              'repo:your-shop/payhooks:environment:development',
              'repo:your-shop/payhooks:environment:production',
            ],
          },
        },
      },
    ]);
  });

  it('may assume the roles of cdk bootstrap and do nothing else', () => {
    expect(role.ManagedPolicyArns).toBeUndefined();
    const account = ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }];
    expect(policy.PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRole',
        Resource: { 'Fn::Join': ['', [...account, ':role/cdk-*']] },
        Condition: {
          StringEquals: { 'iam:ResourceTag/aws-cdk:bootstrap-role': ['deploy', 'file-publishing', 'lookup'] },
        },
      },
    ]);
  });

  it('uses an existing OIDC provider of the account', () => {
    const arn = 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com';
    const { template, role } = synthesiseRole(arn);
    expect(Object.keys(template.findResources('AWS::IAM::OIDCProvider'))).toEqual([]);
    expect(role.AssumeRolePolicyDocument.Statement[0].Principal).toEqual({ Federated: arn });
  });
});
