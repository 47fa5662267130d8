import {
  CfnOutput,
  CliCredentialsStackSynthesizer,
  Duration,
  type IStackSynthesizer,
  Stack,
} from 'aws-cdk-lib';
import { OidcProviderNative, OpenIdConnectPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

const issuer = 'token.actions.githubusercontent.com';

export interface GithubRolesProps {
  /** As in the subjects of GitHub's tokens: `owner/name` or `owner@1234/name@5678`. */
  readonly repository: string;
  readonly environmentName: string;
  /** The qualifier of the `cdk bootstrap` of this environment. */
  readonly qualifier: string;
  /** Whether AWS also compares the workflow that requests the token with the one on `main`. */
  readonly checkWorkflow: boolean;
}

interface GithubRole {
  /** The variable of the GitHub environment that holds its ARN. */
  readonly variable: string;
  /** The only GitHub environment that may assume it. */
  readonly environment: string;
  /** The file in `.github/workflows`. */
  readonly workflow: string;
  readonly may: { readonly actions: string[]; readonly resources: string[] };
}

/**
 * The roles of one environment for `.github/workflows`, without access keys: GitHub proves repository and
 * environment by OIDC. An administrator deploys this stack with credentials of their own, because the
 * roles of `cdk bootstrap` must not be able to change who may become them.
 */
export class GithubRoles extends Stack {
  readonly #props: GithubRolesProps;

  constructor(scope: Construct, id: string, props: GithubRolesProps) {
    const { environmentName, qualifier } = props;
    super(scope, id, {
      description: `payhooks (${environmentName}): the roles that GitHub Actions deploys and compares with.`,
      synthesizer: new CliCredentialsStackSynthesizer({ qualifier }) as IStackSynthesizer,
    });
    this.#props = props;

    const bootstrapRole = (role: string): string => {
      const resourceName = `cdk-${qualifier}-${role}-role-${this.account}-${this.region}`;
      return this.formatArn({ service: 'iam', region: '', resource: 'role', resourceName });
    };
    // No role may become CDK's lookup role, which has ReadOnlyAccess and so reads tables and queues.
    this.#addRole('DeployRole', {
      variable: 'AWS_DEPLOY_ROLE_ARN',
      environment: environmentName,
      workflow: 'deploy.yml',
      may: {
        actions: ['sts:AssumeRole'],
        resources: ['deploy', 'file-publishing'].map(bootstrapRole),
      },
    });

    const resourceName = `payhooks-${environmentName}/*`;
    const stack = this.formatArn({ service: 'cloudformation', resource: 'stack', resourceName });
    this.#addRole('DiffRole', {
      variable: 'AWS_DIFF_ROLE_ARN',
      environment: `${environmentName}-diff`,
      workflow: 'diff.yml',
      may: { actions: ['cloudformation:GetTemplate'], resources: [stack] },
    });
  }

  #addRole(id: string, { variable, environment, workflow, may }: GithubRole): void {
    const { repository, checkWorkflow } = this.#props;
    const names = repository.replaceAll(/@\d+/g, '');
    const providerArn = this.formatArn({
      service: 'iam',
      region: '',
      resource: 'oidc-provider',
      resourceName: issuer,
    });
    const provider = OidcProviderNative.fromOidcProviderArn(this, `${id}Provider`, providerArn);
    const role = new Role(this, id, {
      description: `GitHub Actions of ${repository} in the environment ${environment}.`,
      maxSessionDuration: Duration.hours(1),
      assumedBy: new OpenIdConnectPrincipal(provider, {
        StringEquals: {
          [`${issuer}:aud`]: 'sts.amazonaws.com',
          [`${issuer}:sub`]: `repo:${repository}:environment:${environment}`,
          ...(checkWorkflow && {
            [`${issuer}:job_workflow_ref`]: `${names}/.github/workflows/${workflow}@refs/heads/main`,
          }),
        },
      }),
    });
    role.addToPolicy(new PolicyStatement(may));
    new CfnOutput(this, `${id}Arn`, {
      value: role.roleArn,
      description: `The variable ${variable} of the GitHub environment ${environment}.`,
    });
  }
}
