import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  type IOidcProvider,
  OidcProviderNative,
  OpenIdConnectPrincipal,
  PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

const issuer = 'token.actions.githubusercontent.com';

export interface GithubDeployRoleProps {
  /** Such as `owner/name`. */
  readonly repository: string;
  /** The GitHub environments that may assume the role; branches and pull requests without one may not. */
  readonly environments: readonly string[];
  /** The account's existing OIDC provider for GitHub; created here when omitted. */
  readonly providerArn: string | undefined;
}

/**
 * The role that `.github/workflows/deploy.yml` deploys with. GitHub proves the repository and the environment
 * by OIDC, so there is no access key. The role may only assume the roles of `cdk bootstrap`.
 */
export class GithubDeployRole extends Stack {
  constructor(scope: Construct, id: string, props: GithubDeployRoleProps) {
    super(scope, id, { description: 'payhooks: the role that GitHub Actions deploys with.' });
    const role = new Role(this, 'Role', {
      description: `Deploys payhooks from ${props.repository}.`,
      maxSessionDuration: Duration.hours(1),
      assumedBy: new OpenIdConnectPrincipal(this.#provider(props.providerArn), {
        StringEquals: {
          [`${issuer}:aud`]: 'sts.amazonaws.com',
          [`${issuer}:sub`]: props.environments.map(
            (environment) => `repo:${props.repository}:environment:${environment}`,
          ),
        },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['sts:AssumeRole'],
        resources: [this.formatArn({ service: 'iam', region: '', resource: 'role', resourceName: 'cdk-*' })],
        // Only roles of the bootstrap stack carry this tag.
        conditions: {
          StringEquals: {
            'iam:ResourceTag/aws-cdk:bootstrap-role': ['deploy', 'file-publishing', 'lookup'],
          },
        },
      }),
    );
    new CfnOutput(this, 'RoleArn', {
      value: role.roleArn,
      description: 'The variable AWS_DEPLOY_ROLE_ARN of each GitHub environment.',
    });
  }

  #provider(providerArn: string | undefined): IOidcProvider {
    if (providerArn !== undefined) {
      return OidcProviderNative.fromOidcProviderArn(this, 'Provider', providerArn);
    }
    return new OidcProviderNative(this, 'Provider', {
      url: `https://${issuer}`,
      clientIds: ['sts.amazonaws.com'],
    });
  }
}
