import { Option } from 'commander';
import { type CommandSetup, examplesOf, yesOption } from '../options.ts';
import { pastTime } from '../times.ts';
import { tableNames } from './plan.ts';
import { restoreTables } from './restore.ts';

export function define({ command, action }: CommandSetup): void {
  command
    .option('--at <time>', 'the state to restore (default: the latest one, up to five minutes ago)', pastTime)
    .addOption(
      new Option(
        '--table <table>',
        'only this table (default: those that were deleted; if none was, both)',
      ).choices(tableNames),
    )
    .addOption(
      new Option(
        '--rows-from <table>',
        'only copy the events since an hour before --at from this table, and overwrite none',
      ).conflicts('table'),
    )
    .option('--dry-run', 'show what would be restored, and start nothing')
    .addOption(yesOption)
    .addHelpText(
      'after',
      `
It changes or deletes no table that is in use: it makes new ones, gives them stream, deletion protection,
recovery, expiry, policy and tags, and prints the settings with which the stack uses them, and what to do
then. What was recorded after the restored time stays in the old table: once the stack uses the new one,
--rows-from copies it. A restore takes AWS from minutes to hours. It may be interrupted: the command that it
prints when it starts goes on. docs/recovery.md has the permissions that it needs.
${examplesOf(
  ...['restore --dry-run', 'restore', 'restore --at 2026-11-22T08:15:00Z', 'restore --table orders'],
  'restore --rows-from OLD_TABLE --at 2026-11-22T08:15:00Z',
)}`,
    )
    .action(action(restoreTables));
}
