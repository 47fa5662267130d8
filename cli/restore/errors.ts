import { CommandError } from '../../operator/operator-error.ts';

const again = 'Run the same command again: it goes on where it stopped.';

const explanations: Readonly<Record<string, string>> = {
  LimitExceededException: `AWS restores or changes too many tables of this account at a time. ${again}`,
  TableInUseException: `The source table is being changed. ${again}`,
  ResourceInUseException: `The table is being changed by someone else. ${again}`,
  BackupInUseException: `The backup is being used by another restore. ${again}`,
  BackupNotFoundException: 'The backup of the deleted table is gone: DynamoDB keeps it for 35 days.',
  ContinuousBackupsUnavailableException: `AWS still prepares backups of the new table. ${again}`,
  InvalidRestoreTimeException: 'The time is outside of what can be restored: at most 35 days back.',
  PointInTimeRecoveryUnavailableException: 'Point-in-time recovery is off, so there is no earlier state.',
};

/** What an error of a restore means to the operator. Others pass. */
export function explainRestoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const explanation = explanations[error.name];
  if (explanation === undefined) return error;
  return new CommandError('failed', `${explanation} (AWS returned ${error.name}.)`, { cause: error });
}

export const isAlreadyStarted = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TableAlreadyExistsException';
