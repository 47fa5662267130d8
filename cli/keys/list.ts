import { secretMaxAgeSeconds, secretStaleSecondsMax } from '../../lambdas/contract/limits.ts';
import { keyUseIntervalSeconds } from '../../lambdas/contract/operations-limits.ts';
import { explainError } from '../../operator/explain-error.ts';
import { rowOf } from '../../operator/keys/key-rotation.ts';
import { type Entries, entriesOf, openKeySecret } from '../../operator/keys/key-secret.ts';
import { describeUse, type KeyUses, readKeyUses } from '../../operator/keys/key-use.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';

export const untilRead =
  `A verifier that knows the former keys uses them for up to ${secretMaxAgeSeconds / 60} minutes, ` +
  `in an outage of Secrets Manager for up to ${secretStaleSecondsMax / 3_600} hours.`;

const useMinutes = keyUseIntervalSeconds / 60;

export const useNotes = `
LAST USED is when a webhook that is recorded last matched the key. It is stored at most once in
${useMinutes} minutes, so a later match may be missing for that long.
`;

export async function listKeys(session: Session, options: CommonOptions): Promise<ExitCode> {
  const stack = await createTarget(session, options).stack();
  const secret = await openKeySecret(stack);
  const [version, uses] = await Promise.all([
    secret.read(),
    readKeyUses(stack).catch((error: unknown) => explainError(error, session.env)),
  ]);
  if (uses instanceof Map) return printKeys(session, entriesOf(version), { ...options, uses });
  const code = printKeys(session, entriesOf(version), options);
  session.terminal.note(`When the keys were last used is not known. ${(uses as Error).message}`);
  return code;
}

/** Without `uses` it is not known when the keys matched. */
export function printKeys(
  { terminal, now }: Session,
  entries: Entries,
  { json, uses }: CommonOptions & { readonly uses?: KeyUses },
): ExitCode {
  const rows = entries.map((entry) => rowOf(entry, now()));
  if (json) {
    terminal.json(
      rows.map((row) => ({ ...row, ...(uses && { last_matched_at: uses.get(row.id) ?? null }) })),
    );
  } else if (rows.length === 0) {
    terminal.print('The secret holds no key: every webhook gets a 503.');
  } else {
    const useOf = (id: string): string => {
      const matchedAt = uses?.get(id);
      return matchedAt === undefined ? 'not seen' : describeUse(matchedAt, now());
    };
    terminal.table(
      ['ID', 'MODE', 'ACCEPTED UNTIL', 'STATE', ...(uses ? ['LAST USED'] : [])],
      rows.map(({ id, mode, accepted_until, state }) => [
        id,
        mode,
        accepted_until ?? 'further notice',
        state,
        ...(uses ? [useOf(id)] : []),
      ]),
    );
  }
  return exitCodes.done;
}
