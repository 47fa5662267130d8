import { type Command, Option } from 'commander';
import { replayRateMax } from '../../operator/limits.ts';
import { type ActOptions, addActOptions } from '../act.ts';
import { expecting } from '../options.ts';

export interface RunOptions extends ActOptions {
  readonly sandbox?: true;
  readonly rate?: number;
  readonly resume?: string;
}

export interface ReplayOptions extends RunOptions {
  readonly event?: string;
  readonly order?: string;
  readonly since?: string;
  readonly until?: string;
  readonly publish?: true;
}

const rate = expecting(`events per second, from 1 to ${replayRateMax}`, (given) =>
  /^\d{1,4}$/.test(given) && Number(given) >= 1 && Number(given) <= replayRateMax ? Number(given) : undefined,
);

/** The options of work in many pages. */
export const addRunOptions = (command: Command): Command =>
  addActOptions(command)
    .option('--rate <events>', 'at most this many events per second', rate)
    .option('--resume <cursor>', 'go on where an interrupted run ended')
    .addOption(new Option('--sandbox', 'in the sandbox instead of live'));
