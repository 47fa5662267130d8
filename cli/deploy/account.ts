import { failed, passed, unknown } from '../../operator/check-result.ts';
import { explainError } from '../../operator/explain-error.ts';
import { concurrencyAdvised } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';
import type { Session } from '../session.ts';
import type { SynthesisedDeployment } from './assembly.ts';
import { type Cdk, cdkCommand } from './cdk.ts';
import type { DeployOptions, Step } from './steps.ts';

/** Where a stack is deployed to. */
export interface Place {
  readonly account: string;
  readonly region: string;
  /** Whether commands of this shell use the region without further ado. */
  readonly isOfShell: boolean;
}

interface AccountChecks {
  readonly step: Step;
  readonly cdk: Cdk;
  readonly wanted: SynthesisedDeployment;
}

/** What must be true before a deployment. Offers the `cdk bootstrap` that is missing. */
export async function checkAccount(
  session: Session,
  options: DeployOptions,
  checks: AccountChecks,
): Promise<Place> {
  const { step, wanted } = checks;
  const { defaultRegion, readConcurrency, readIdentity } = await import('../../operator/aws/account.ts');
  const ofShell = await defaultRegion().catch((error: unknown) => {
    if (wanted.region === undefined) throw error;
  });
  const region = wanted.region ?? `${ofShell}`;
  // Every client of this process, and the CDK, go where the app says.
  process.env['AWS_REGION'] = region;
  const { account, arn } = await readIdentity(region);
  await step('credentials', async () => passed(`account ${account}, as ${arn}`));
  if (wanted.account !== undefined && wanted.account !== account) {
    const use =
      'Use credentials of that account, such as with AWS_PROFILE, or change the account in the app.';
    throw new CommandError(
      'failed',
      `${wanted.name} belongs in account ${wanted.account}, and the credentials are of ${account}. ${use}`,
    );
  }
  await step('region', async () => passed(region));
  const place = { account, region, isOfShell: region === ofShell };
  await bootstrap(session, options, { ...checks, place });
  await step('Lambda quota', async () => {
    const concurrency = await readConcurrency().catch((error: unknown) => explainError(error, session.env));
    if (concurrency instanceof CommandError) return unknown(concurrency.message);
    if (concurrency >= concurrencyAdvised) return passed(`${concurrency} concurrent executions`);
    return unknown(
      `${concurrency} concurrent executions; below ${concurrencyAdvised}, peaks fire WebhookServerErrors`,
      'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 ' +
        `--desired-value 1000 --region ${region}`,
      'until then, set consumerConcurrencyMax to 2: docs/deploy.md#3-prepare-the-account',
    );
  });
  return place;
}

/** The qualifier that CDK uses unless an app names one. */
const defaultQualifier = 'hnb659fds';

async function bootstrap(
  { input }: Session,
  options: DeployOptions,
  { step, cdk, wanted, place }: AccountChecks & { readonly place: Place },
): Promise<void> {
  if (wanted.bootstrap === undefined) return;
  const { qualifier, version: needed } = wanted.bootstrap;
  const { readBootstrapVersion } = await import('../../operator/aws/stacks.ts');
  const look = () => readBootstrapVersion(qualifier);
  const where = `${place.account} in ${place.region}, qualifier ${qualifier}`;
  const own = ['--qualifier', qualifier, '--toolkit-stack-name', `CDKToolkit-${qualifier}`];
  const words = ['bootstrap', `aws://${place.account}/${place.region}`];
  if (qualifier !== defaultQualifier) words.push(...own);
  const { status } = await step('cdk bootstrap', async () => {
    const version = await look();
    if (version === undefined) return failed(`none for ${where}`);
    if (version < needed) return failed(`version ${version} for ${where}; ${needed} is needed`);
    return passed(`version ${version} for ${where}`);
  });
  if (status === 'passed') return;
  await input.confirm(`Run ${cdkCommand(words)} now?`, options);
  // The app is not needed, and need not be synthesised once more.
  await cdk.run([...words, '--app', 'cdk.out'], { AWS_REGION: place.region });
  await step('cdk bootstrap', async () => passed(`version ${await look()} for ${where}`));
}
