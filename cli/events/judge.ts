import { type Command, Option } from 'commander';
import type { WaitingKind } from '../../lambdas/contract/metrics.ts';
import { bulkEventsMax } from '../../lambdas/contract/operations-limits.ts';
import { bulkKinds } from '../../operator/acts/bulk.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { type ActOptions, addActOptions } from '../acts/options.ts';
import { runAct } from '../acts/run-act.ts';
import { runBulk } from '../acts/run-bulk.ts';
import { chosenMode, defined } from '../options.ts';
import type { Session } from '../session.ts';
import { pastInstant } from '../times.ts';

interface JudgeOptions extends ActOptions {
  readonly bodySha256?: string;
  readonly order?: string;
  readonly name?: string;
  readonly kind?: WaitingKind;
  readonly since?: string;
  readonly until?: string;
}

/** The options that choose many events, and those of every act. */
export const addJudgeOptions = (command: Command): Command =>
  addActOptions(
    command
      .addOption(new Option('--kind <kind>', 'all that wait as this kind, instead of ids').choices(bulkKinds))
      .option('--since <time>', 'of the kind, those recorded at this time or later', pastInstant)
      .option('--until <time>', 'of the kind, those recorded before this time', pastInstant),
  );

export const judge =
  (act: 'admit' | 'dismiss') =>
  async (session: Session, given: readonly string[], options: JudgeOptions): Promise<ExitCode> => {
    const { bodySha256, order, name, kind, since, until } = options;
    const isMany = kind !== undefined || given.length > 1;
    if (kind === undefined && (since ?? until) !== undefined)
      throw wrongUsage('--since and --until need --kind.');
    if (!isMany) {
      const [id] = given;
      if ((name === undefined) === (id === undefined && bodySha256 === undefined)) {
        const orName = act === 'dismiss' ? ', or --name alone' : '';
        throw wrongUsage(`Give the id of an event, or --body-sha256 for a body that is not one${orName}.`);
      }
      const named = { event_id: id, body_sha256: bodySha256, order_id: order, event_name: name };
      return runAct(session, options, { act, mode: chosenMode(options), ...defined(named) });
    }
    if ((bodySha256 ?? order ?? name) !== undefined)
      throw wrongUsage('--order, --body-sha256 and --name are for one event: judge it alone.');
    if (kind !== undefined) {
      if (given.length > 0) throw wrongUsage('Give ids or --kind, not both.');
      return runBulk(session, options, act, { filters: { kind, ...defined({ since, until }) } });
    }
    if (given.length > bulkEventsMax)
      throw wrongUsage(`${given.length} ids were given; at most ${bulkEventsMax} at once.`);
    return runBulk(session, options, act, { ids: given });
  };

const wrongUsage = (message: string): CommandError => new CommandError('wrongUsage', message);
