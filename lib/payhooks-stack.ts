import { Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { bootstrapOf } from './bootstrap.ts';
import type { EnvironmentConfiguration } from './configuration.ts';
import { Deployment } from './deployment.ts';

export interface PayhooksStackProps {
  readonly configuration: EnvironmentConfiguration;
}

/** A stack of this repository's own app: one deployment and nothing else, made from the settings in cdk.json. */
export class PayhooksStack extends Stack {
  constructor(scope: Construct, id: string, { configuration }: PayhooksStackProps) {
    const { environmentName } = configuration;
    const tags = { application: 'payhooks', environment: environmentName };
    super(scope, id, {
      ...bootstrapOf(configuration.bootstrapQualifier),
      description: `payhooks (${environmentName}): receives, records and folds payment webhooks.`,
      tags,
      terminationProtection: configuration.keepData,
    });
    // On every resource too: `cdk deploy --tags` replaces the tags of the stack.
    for (const [key, value] of Object.entries(tags)) Tags.of(this).add(key, value);
    new Deployment(this, 'Default', { configure: () => configuration });
  }
}
