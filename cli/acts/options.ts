import type { Command } from 'commander';
import { replayRateMax } from '../../operator/limits.ts';
import { sandboxOption, wholeNumber, yesOption } from '../options.ts';
import type { CommonOptions } from '../session.ts';

export interface ActOptions extends CommonOptions {
  readonly dryRun?: true;
  readonly reason?: string;
  readonly verbose?: true;
  readonly sandbox?: true;
}

/** The options of every command that acts. */
export const addActOptions = (command: Command): Command =>
  command
    .option('--reason <text>', 'why; it is kept with the act (a terminal prompts for it)')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--verbose', 'list every change, where otherwise many that are alike are counted')
    .addOption(sandboxOption())
    .addOption(yesOption);

/** How a run goes through its pages. */
export interface RunOptions extends ActOptions {
  /** Events per second. */
  readonly rate?: number;
  /** Where an earlier run ended. */
  readonly resume?: string;
}

/** The options of work in many pages. */
export const addRunOptions = (command: Command): Command =>
  addActOptions(command)
    .option('--rate <events>', 'at most this many events per second', wholeNumber(1, replayRateMax))
    .option('--resume <cursor>', 'go on where an interrupted run ended');
