import { randomBytes } from 'node:crypto';
import { secretInputBytesMax } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';
import { readGivenFile } from '../body-input.ts';
import { type Session, variable } from '../session.ts';

const listenSecretVariable = 'PAYHOOKS_LISTEN_SECRET';

/** The bounds of Standard Webhooks. */
const bytesMin = 24;
const bytesMax = 64;

/** The signing secret of a file or of the environment; otherwise a new one, which is printed. */
export async function signingSecret(session: Session, file: string | undefined): Promise<string> {
  const given =
    file === undefined
      ? variable(session, listenSecretVariable)
      : String(await readGivenFile(file, secretInputBytesMax)).trim();
  if (given !== undefined) return checkSecret(given, file ?? listenSecretVariable);
  const secret = `whsec_${randomBytes(bytesMin).toString('base64')}`;
  session.terminal.note(`Signing secret of this run: ${secret}`);
  return secret;
}

function checkSecret(secret: string, source: string): string {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const isBase64 = `whsec_${bytes.toString('base64')}` === `whsec_${secret.replace(/^whsec_/, '')}`;
  if (isBase64 && bytes.length >= bytesMin && bytes.length <= bytesMax) return secret;
  const expected = `whsec_ and the base64 of ${bytesMin} to ${bytesMax} bytes`;
  throw new CommandError('wrongUsage', `${source} holds no signing secret; expected ${expected}.`);
}
