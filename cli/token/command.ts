import { setTimeout as pause } from 'node:timers/promises';
import { parseTokenSecret, writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { renewed } from '../../lambdas/webhook-audit/credential.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { type CommonOptions, type Session, show, variable } from '../session.ts';

export function define({ command: token, action }: CommandSetup): void {
  token
    .command('refresh')
    .description('Renew the token now, with the rotation of the stack (asks first)')
    .addOption(yesOption)
    .addHelpText('after', examplesOf('token refresh', 'token refresh --stack payhooks-production --yes'))
    .action(action(refreshToken));

  token
    .command('set')
    .description('Store the first token, or replace it (asks before it replaces one)')
    .option('--keep-refresh-token', 'replace only the client id and secret, for example a wrong secret')
    .addOption(yesOption)
    .addHelpText(
      'after',
      `
The values come from PAYHOOKS_OAUTH_CLIENT_ID, PAYHOOKS_OAUTH_CLIENT_SECRET and
PAYHOOKS_OAUTH_REFRESH_TOKEN, or from prompts that do not show them; never from an argument.
${examplesOf('token set', 'token set --keep-refresh-token --stack payhooks-production')}`,
    )
    .action(action(setToken));
}

/** Only the rotation function spends refresh tokens: this starts it and waits. */
export async function refreshToken(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal, input, waits } = session;
  const stack = await session.stack(options);
  const { openStackToken } = await import('../../operator/aws/token-rotation.ts');
  const token = openStackToken(stack);
  const before = await token.readTokens();
  if (before === undefined) throw withoutToken(stack);
  await input.confirm(`Renew the token of ${stack.name} now?`, options);
  terminal.progress('Waiting for the rotation of the token …');
  const parts = { ...token, pause: () => pause(waits.tokenPollMilliseconds) };
  // A version that was stored by hand, or made current again, renews nothing.
  const { expiresAt } = await renewed(parts, before.accessToken);
  const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  const when = expires === null ? 'at an unknown time' : `at ${expires}`;
  return show(session, options, {
    document: { renewed: true, expires_at: expires },
    print: () => terminal.print(`The token is renewed and current in Secrets Manager; it expires ${when}.`),
  });
}

export async function setToken(
  session: Session,
  options: CommonOptions & { readonly keepRefreshToken?: true },
): Promise<ExitCode> {
  const { terminal, input } = session;
  const stack = await session.stack(options);
  const { openStackToken } = await import('../../operator/aws/token-rotation.ts');
  const { secret, newest } = openStackToken(stack);
  const former = await secret.read();
  if (former === undefined && options.keepRefreshToken) throw withoutToken(stack);
  const value = async (name: string, prompt: string): Promise<string> => {
    const given = variable(session, name);
    if (given !== undefined) return given;
    if (input.isTerminal) return input.secret(`${prompt} (it is not shown): `);
    throw new CommandError('wrongUsage', `${name} is not set, and standard input is not a terminal.`);
  };
  const text = writeTokenSecret({
    clientId: await value('PAYHOOKS_OAUTH_CLIENT_ID', 'Client id'),
    clientSecret: await value('PAYHOOKS_OAUTH_CLIENT_SECRET', 'Client secret'),
    ...(options.keepRefreshToken
      ? await newest()
      : { refreshToken: await value('PAYHOOKS_OAUTH_REFRESH_TOKEN', 'Refresh token') }),
  });
  // The functions of the stack must be able to read it.
  parseTokenSecret(text);
  const question = options.keepRefreshToken
    ? `Replace the client id and secret of ${stack.name}? Its refresh token stays.`
    : `Replace the token of ${stack.name}? Its refresh token is lost.`;
  if (former !== undefined) await input.confirm(question, options);
  await secret.replace(former, text);
  return show(session, options, {
    document: { set: true },
    print: () => terminal.print('The token is set; the next rotation renews it: payhooks token refresh'),
  });
}

const withoutToken = ({ name }: Stack): CommandError =>
  new CommandError('failed', `${name} has no token yet: payhooks token set`);
