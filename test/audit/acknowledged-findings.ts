import type { Configuration } from '../../lib/configuration.ts';
import type { SettingName } from '../../lib/settings.ts';
import entries from './acknowledged-findings.json' with { type: 'json' };

/** A finding of audit tools that is accepted. */
export interface AcknowledgedFinding {
  /** The names of the rule, one per tool or rule pack that has it. */
  readonly rules: readonly string[];
  /** Resource types, or construct paths without the stack. */
  readonly on: readonly string[];
  /** The values of settings with which alone it is accepted; `null` is none, `"*"` is any. */
  readonly when?: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly reason: string;
}

/** A resource, as an acknowledgement names it. */
export interface Place {
  readonly type: string;
  /** The construct path without the stack. */
  readonly path: string;
}

/** `npm run audit:templates` fails for every other finding, and for an entry that no template needs. */
export const acknowledgedFindings: readonly AcknowledgedFinding[] = entries;

/** The entries that hold for a deployment with these settings. */
export function acknowledgementsFor(configuration: Configuration): readonly AcknowledgedFinding[] {
  return acknowledgedFindings.filter(({ when = {} }) =>
    Object.entries(when).every(([name, value]) => {
      const given = configuration[name as SettingName] ?? null;
      return value === '*' ? given !== null : given === value;
    }),
  );
}

/** Whether an acknowledgement on `on` is about the resource: its type, its path, or a construct around it. */
export const isAt = ({ type, path }: Place, on: string): boolean =>
  on.startsWith('AWS::') ? type === on : `${path}/`.startsWith(`${on}/`);
