import { MalformedTokenSecretError, type TokenSecret } from '../../lambdas/contract/token-secret.ts';
import { type Finding, failed, passed } from './check.ts';
import type { Checks } from './checks.ts';
import { type Deployment, stackOption } from './deployment.ts';

/** Whether a stack that asks the payment service with an OAuth token has one that is good by now. */
export async function checkToken(checks: Checks, deployment: Deployment): Promise<void> {
  const { stack } = deployment;
  if (!stack.outputs['TokenSecretArn']) return;
  await checks.run('OAuth token', async () => {
    const { openStackToken } = await import('../aws/token-rotation.ts');
    try {
      return tokenFinding(deployment, await openStackToken(stack).read());
    } catch (error) {
      if (!(error instanceof MalformedTokenSecretError)) throw error;
      return failed('the token secret holds no token', `npx payhooks token set ${stackOption(deployment)}`);
    }
  });
}

function tokenFinding(deployment: Deployment, token: TokenSecret | undefined): Finding {
  const option = stackOption(deployment);
  if (token === undefined) {
    return failed('the token secret has no value, so nobody audits', `npx payhooks token set ${option}`);
  }
  const { accessToken, expiresAt } = token;
  const renew = `npx payhooks token refresh ${option}; docs/runbook.md#tokenrefreshfailed`;
  if (accessToken === undefined) return failed('the token was never renewed', renew);
  if (expiresAt === undefined) return passed('there is an access token; nobody knows when it expires');
  const when = new Date(expiresAt).toISOString();
  if (expiresAt <= deployment.session.now()) return failed(`the access token expired at ${when}`, renew);
  return passed(`the access token is good until ${when}`);
}
