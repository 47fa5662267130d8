import { Command, type CommanderError } from 'commander';
import { fitted } from '../operator/printable.ts';
import manifest from '../package.json' with { type: 'json' };
import { addCommonOptions, type CommandSetup } from './options.ts';
import type { Terminal } from './terminal.ts';
import { timeNotes } from './times.ts';

/**
 * What --help shows of each command, in this order. A new command is a folder with a `command.ts`, and a line
 * here: the name is that of the folder.
 */
const descriptions = {
  init: "Make a merchant's project, a CDK app with payhooks in it (asks six questions)",
  deploy: 'Deploy the CDK app of this folder, and set up its key and webhook (asks first)',
  dev: 'Run the payhooks of a CDK app on this machine (from @payhooks/local), until Ctrl-C',
  status: 'Show which alarms are on, what they stand for, and the next command',
  console: 'Show orders, events and alarms in the browser, and act on them, until Ctrl-C',
  events: 'List and inspect events, and decide about those that wait',
  refused: 'List the webhooks that were refused, and who probably sent them',
  approvals: 'List, approve and reject acts that need two people',
  webhooks: 'Manage the webhooks of the payment account',
  account: 'Show the payment account, which proves that the credential works',
  token: 'Manage the OAuth token of the stack',
  keys: 'Manage the private keys that webhooks are verified with',
  heartbeat: 'Manage what the heartbeat of the stack needs',
  send: 'Sign a sample event or a file, and post it as the payment service does',
  orders: 'List orders, show what happened to one, and clear its warnings',
  dlq: 'Look at the events that could not be recorded, and redrive',
  reconcile: 'Show whether anything was lost; exit code 1 if so',
  replay: 'Read stored bodies again: of one event, of an order, or of a time (asks first)',
  rebuild: 'Compute every order and row again from the stored readings (asks first)',
  restore: 'Restore the tables into new ones, also deleted tables (asks first)',
  erase: 'Erase the bodies of events, and with them the customer data (asks first)',
  audit: 'Prove by the log that no act of an operator was changed, removed or inserted',
  smoke: 'Prove a deployed stack: a heartbeat from end to end, refusals, keys, safeguards, alarms',
  repair: 'Restore what was switched off or deleted by hand (asks first)',
} as const;

const help = `
Which payhooks:
  --stack NAME     a stack in AWS, or NAME/ID of a deployment in it; credentials and region come from the
                   environment
  --local [URL]    local mode
  PAYHOOKS_STACK   (environment) the stack to use without either
Without any of these: local mode if it runs at http://127.0.0.1:4800, otherwise the region's only deployment.

Environment:
  PAYHOOKS_SERVICE_URL             a payment service other than that of the stack
  PAYHOOKS_PRIVATE_KEY             the key to call it with; keys and send read it too
  PAYHOOKS_OAUTH_CLIENT_ID, PAYHOOKS_OAUTH_CLIENT_SECRET, PAYHOOKS_OAUTH_REFRESH_TOKEN
                                   what token set stores in the stack
  NO_COLOR                         no colours, the default when the output is not a terminal

Times, for --since, --until and restore --at: 2h, 30m, today, yesterday, 14:00, "yesterday 14:00",
"2026-11-20 14:00" (your time zone), or ISO 8601 with a zone.

Exit codes:
  0  done
  1  failed, or issues were found
  2  wrong usage, or not confirmed
  3  the payment service or AWS refused the credential
  4  not reachable
  129, 130, 131, 143  ended by a signal, such as Ctrl-C

With --json, an error is one line of JSON on standard error: {"error":{"type","message","exit_code"}}.

Examples:
  payhooks status
  payhooks help events admit
  payhooks send --order order-1 --follow
`;

/**
 * The command line, with the options of the command that `words` name: to load all of them takes longer than
 * most run. It throws a `CommanderError` for wrong usage, and after it has printed help.
 */
export async function createProgram(
  words: readonly string[],
  action: CommandSetup['action'],
  { print, note, columns }: Pick<Terminal, 'print' | 'note' | 'columns'>,
): Promise<Command> {
  const shown = (text: string): string => fitted(text.replace(/\n$/, ''), columns);
  const program = new Command('payhooks')
    .description('Operate a payhooks stack and the webhooks of its payment account.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ visibleCommands: ({ commands }) => [...commands] })
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
      writeOut: (text) => print(shown(text)),
      // The help that is shown in place of a command that is missing.
      writeErr: (text) => note(shown(text)),
      // `run` prints the error, in the form that the line requests.
      outputError: () => {},
    })
    .hook('preAction', (_, command) => timeNotes(words, command.opts()).forEach(note))
    .addHelpText('after', help);
  const given = words.find((word) => !word.startsWith('-'));
  for (const [name, description] of Object.entries(descriptions)) {
    const command = program.command(name).description(description);
    if (name === 'orders') command.alias('order');
    if (given === undefined || ![name, command.alias()].includes(given)) continue;
    const { define }: CommandModule = await import(`./${name}/command.ts`);
    define({ command, action });
    if (!['dev', 'init'].includes(name)) addCommonOptions(command);
  }
  return program;
}

/** What each `command.ts` exports: it adds arguments, options and subcommands. */
interface CommandModule {
  readonly define: (setup: CommandSetup) => void;
}

/** What is wrong with the usage, without the value of an unknown option, which may be a secret. */
export function usageMessage({ message }: CommanderError): string {
  const redacted = message.replace(/'(--?[\w-]+)=[^']*'/g, "'$1=…'");
  return `${redacted.replace(/^error: /, '')}\n(add --help for usage)`;
}
