import { setTimeout as pause } from 'node:timers/promises';
import { createTokenExchange, tokensOf } from '@payhooks/payment-service';
import { tokenRenewalPollMilliseconds, tokenRenewalSecondsMax } from '../../lambdas/contract/limits.ts';
import { parseTokenSecret, writeTokenSecret } from '../../lambdas/contract/token-secret.ts';
import { TokenRenewalError } from '../../lambdas/webhook-audit/rotated-token.ts';
import { CommandError, type ExitCode, exitCodes } from '../outcome.ts';
import { oauthVariables, serviceUrlVariable } from '../payment-service.ts';
import { type CommonOptions, type Session, variable } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { openTokenFile, stateDirectory } from '../tokens/token-file.ts';
import { addCommonOptions, addConfirmation, examplesOf, type Group } from './options.ts';

export function addToken({ program, session, end }: Group): void {
  const token = program.command('token').description('the OAuth token of the payment account');
  const command = (name: string) => addConfirmation(addCommonOptions(token.command(name)));

  command('refresh')
    .description('renews the token now, by the rotation of the stack; asks first')
    .addHelpText('after', examplesOf('token refresh --stack payhooks-production'))
    .action(async (options) => end(await refreshToken(session, options)));

  command('set')
    .description('gives the stack its first token, or another one; asks first when there is one')
    .addHelpText(
      'after',
      `
The values are read from PAYHOOKS_OAUTH_CLIENT_ID, PAYHOOKS_OAUTH_CLIENT_SECRET and
PAYHOOKS_OAUTH_REFRESH_TOKEN; what is not set is asked for at a prompt that does not show it. Never from an
argument.
${examplesOf('token set')}`,
    )
    .action(async (options) => end(await setToken(session, options)));
}

function refreshToken(session: Session, options: CommonOptions): Promise<ExitCode> {
  const isOwn = oauthVariables(session) !== undefined && variable(session, serviceUrlVariable) !== undefined;
  return isOwn ? refreshOwn(session, options) : refreshOfStack(session, options);
}

/** With the credentials of the environment: the new token is kept in the file of this machine. */
async function refreshOwn(session: Session, options: CommonOptions): Promise<ExitCode> {
  const baseUrl = variable(session, serviceUrlVariable) ?? '';
  const { clientId, clientSecret, refreshToken } = oauthVariables(session) ?? {
    clientId: '',
    clientSecret: '',
  };
  const exchange = createTokenExchange({ baseUrl, clientId, clientSecret });
  const directory = stateDirectory(session.env);
  const file = await openTokenFile({ directory, serviceUrl: baseUrl, clientId, refreshToken });
  await session.ask.confirm('Renew the token now? The refresh token in use is spent by it.', options);
  const expiresAt = await file.locked(async () => {
    const stored = await file.load();
    if (stored === undefined) {
      throw new CommandError('wrongUsage', 'There is no refresh token: set PAYHOOKS_OAUTH_REFRESH_TOKEN.');
    }
    const sentAt = session.now();
    const tokens = tokensOf(await exchange(stored.refresh_token), sentAt);
    await file.save(tokens);
    return tokens.expires_at ?? undefined;
  });
  tell(session, { expiresAt, where: `kept in ${file.path}` }, options);
  return exitCodes.done;
}

/** The rotation function alone spends refresh tokens of a stack; this asks for it and waits. */
async function refreshOfStack(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal, ask, now } = session;
  const stack = await createTarget(session, options).stack();
  const { openStackToken } = await import('../aws/token-rotation.ts');
  const token = openStackToken(stack);
  const before = await token.read();
  if (before === undefined) {
    throw new CommandError('failed', `${stack.name} has no token yet; give it one: payhooks token set`);
  }
  await ask.confirm(`Renew the token of ${stack.name} now?`, options);
  await token.rotate();
  const until = now() + tokenRenewalSecondsMax * 1_000;
  while (now() < until) {
    terminal.progress('Waiting for the rotation of the token …');
    await pause(tokenRenewalPollMilliseconds);
    const latest = await token.read();
    if (latest === undefined || latest.versionId === before.versionId) continue;
    // A version that somebody put in by hand, or that only was made current, renews nothing.
    if (latest.accessToken === undefined || latest.accessToken === before.accessToken) continue;
    tell(session, { expiresAt: latest.expiresAt, where: 'current in Secrets Manager' }, options);
    return exitCodes.done;
  }
  throw new TokenRenewalError(
    `The token was not renewed within ${tokenRenewalSecondsMax} seconds; the log of token-refresh says why.`,
  );
}

async function setToken(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal, ask } = session;
  const stack = await createTarget(session, options).stack();
  const { openStackToken } = await import('../aws/token-rotation.ts');
  const { secret } = openStackToken(stack);
  const former = await secret.read();
  const value = async (name: string, prompt: string): Promise<string> => {
    const given = variable(session, name);
    if (given !== undefined) return given;
    if (ask.isTerminal) return ask.hidden(`${prompt} (it is not shown): `);
    throw new CommandError('wrongUsage', `${name} is not set, and standard input is no terminal to ask at.`);
  };
  const text = writeTokenSecret({
    clientId: await value('PAYHOOKS_OAUTH_CLIENT_ID', 'Client id'),
    clientSecret: await value('PAYHOOKS_OAUTH_CLIENT_SECRET', 'Client secret'),
    refreshToken: await value('PAYHOOKS_OAUTH_REFRESH_TOKEN', 'Refresh token'),
  });
  // Read back before it is written: the reader in the stack must be able to.
  parseTokenSecret(text);
  if (former !== undefined) {
    const lost = 'The refresh token in it is lost';
    await ask.confirm(`Replace the token of ${stack.name}? ${lost}.`, options);
  }
  await secret.replace(former, text);
  if (options.json) terminal.json({ set: true });
  else terminal.print('The token is set; the next rotation renews it: payhooks token refresh');
  return exitCodes.done;
}

function tell(
  { terminal }: Session,
  { expiresAt, where }: { readonly expiresAt: number | undefined; readonly where: string },
  { json }: CommonOptions,
): void {
  const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  const when = expires === null ? 'at an unknown time' : `at ${expires}`;
  if (json) terminal.json({ renewed: true, expires_at: expires });
  else terminal.print(`The token is renewed and ${where}; it expires ${when}.`);
}
