import { secretMaxAgeSeconds, secretStaleSecondsMax } from '../../lambdas/contract/limits.ts';
import { keyUseIntervalSeconds } from '../../lambdas/contract/operations-limits.ts';
import { ageOf } from '../../operator/age.ts';
import { openOperations } from '../../operator/apis.ts';
import { explainError } from '../../operator/explain-error.ts';
import { type Entries, entriesOf, openKeySecret, rowOf } from '../../operator/keys.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

export const untilRead =
  `A verifier that knows the former keys uses them for up to ${secretMaxAgeSeconds / 60} minutes, ` +
  `in an outage of Secrets Manager for up to ${secretStaleSecondsMax / 3_600} hours.`;

const useMinutes = keyUseIntervalSeconds / 60;

export const useNotes = `
LAST USED is when a webhook that is recorded last matched the key. It is stored at most once in
${useMinutes} minutes, so a later match may be missing for that long.
`;

/** When each key last matched a webhook that was recorded, by its id; to within `keyUseIntervalSeconds`. */
type KeyUses = ReadonlyMap<string, string>;

export async function readKeyUses(stack: Stack): Promise<KeyUses> {
  const { keys } = await openOperations(stack).keys();
  return new Map(keys.map(({ key_id, last_matched_at }) => [key_id, last_matched_at]));
}

/** Such as `2026-11-22T05:10Z (12 min ago)`. */
export const describeUse = (matchedAt: string, now: number): string =>
  `${matchedAt.slice(0, 16)}Z (${ageOf(matchedAt, now)} ago)`;

export async function listKeys(session: Session, options: CommonOptions): Promise<ExitCode> {
  const stack = await session.stack(options);
  const secret = await openKeySecret(stack);
  const [version, uses] = await Promise.all([
    secret.read(),
    readKeyUses(stack).catch((error: unknown) => explainError(error, session.env)),
  ]);
  if (uses instanceof Map) return showKeys(session, options, { entries: entriesOf(version), uses });
  const code = showKeys(session, options, { entries: entriesOf(version) });
  session.terminal.note(`When the keys were last used is not known. ${(uses as Error).message}`);
  return code;
}

interface Shown {
  readonly entries: Entries;
  /** Without it, it is not known when the keys matched. */
  readonly uses?: KeyUses;
  /** What a person reads after the table. */
  readonly notes?: readonly string[];
}

export function showKeys(session: Session, options: CommonOptions, { entries, uses, notes = [] }: Shown) {
  const { terminal, now } = session;
  const rows = entries.map((entry) => rowOf(entry, now()));
  const useOf = (id: string): string => {
    const matchedAt = uses?.get(id);
    return matchedAt === undefined ? 'not seen' : describeUse(matchedAt, now());
  };
  return show(session, options, {
    document: rows.map((row) => ({ ...row, ...(uses && { last_matched_at: uses.get(row.id) ?? null }) })),
    print() {
      if (rows.length === 0) terminal.print('The secret holds no key: every webhook gets a 503.');
      else
        terminal.table(
          ['ID', 'MODE', 'ACCEPTED UNTIL', 'STATE', ...(uses ? ['LAST USED'] : [])],
          rows.map(({ id, mode, accepted_until, state }) => [
            ...[id, mode, accepted_until ?? 'further notice', state],
            ...(uses ? [useOf(id)] : []),
          ]),
        );
      for (const note of notes) terminal.note(note);
    },
  });
}
