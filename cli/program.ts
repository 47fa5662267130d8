import { Command, type CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addAccount } from './account/command.ts';
import { addConsole } from './console/command.ts';
import { addDiagnose } from './diagnose/command.ts';
import { addDlq } from './dlq/command.ts';
import { addErase } from './erase/command.ts';
import { addEvents } from './events/command.ts';
import { addHeartbeat } from './heartbeat/command.ts';
import { addKeys } from './keys/command.ts';
import { addCommonOptions, type CommandSetup } from './options.ts';
import { addOrders } from './orders/command.ts';
import { addRebuild } from './rebuild/command.ts';
import { addReconcile } from './reconcile/command.ts';
import { addRepair } from './repair/command.ts';
import { addReplay } from './replay/command.ts';
import { addRestore } from './restore/command.ts';
import { addSend } from './send/command.ts';
import { addSmoke } from './smoke/command.ts';
import { addStatus } from './status/command.ts';
import { addToken } from './token/command.ts';
import { addWebhooks } from './webhooks/command.ts';

/** A new command is a folder with a `command.ts`, and an entry here. --help shows this order. */
const commands = [
  addStatus,
  addConsole,
  addEvents,
  addWebhooks,
  addAccount,
  addToken,
  addKeys,
  addHeartbeat,
  addSend,
  addOrders,
  addDlq,
  addReconcile,
  addReplay,
  addRebuild,
  addRestore,
  addErase,
  addDiagnose,
  addSmoke,
  addRepair,
];

const help = `
Which payhooks:
  --stack NAME     a stack in AWS; credentials and region come from the environment
  --local [URL]    local mode
  Without either: local mode if it runs at http://127.0.0.1:4800, otherwise the only stack in the region
  with the tag application=payhooks.

Environment:
  PAYHOOKS_SERVICE_URL             a payment service other than that of the stack
  PAYHOOKS_PRIVATE_KEY             the key to call it with; keys, send and diagnose read it too
  PAYHOOKS_OAUTH_CLIENT_ID, PAYHOOKS_OAUTH_CLIENT_SECRET, PAYHOOKS_OAUTH_REFRESH_TOKEN
                                   what token set stores in the stack
  NO_COLOR                         no colours, the default when the output is not a terminal

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
  payhooks console --stack payhooks-production
  payhooks help events admit
  payhooks webhooks audit
  payhooks keys add --overlap 24h
  payhooks send --order order-1 --follow
  payhooks smoke --stack payhooks-production
`;

export interface ProgramParts {
  readonly action: CommandSetup['action'];
  /** Takes help and the version. */
  readonly print: (text: string) => void;
  /** Takes the help that is shown in place of a command that is missing. */
  readonly note: (text: string) => void;
}

/** The whole command line. It throws a `CommanderError` for wrong usage, and after it has printed help. */
export function createProgram({ action, print, note }: ProgramParts): Command {
  const program = new Command('payhooks')
    .description('Operate a payhooks stack and the webhooks of its payment account.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ visibleCommands: ({ commands }) => [...commands] })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(text.replace(/\n$/, '')),
      writeErr: (text) => note(text.replace(/\n$/, '')),
      // `run` prints the error, in the form that the line requests.
      outputError: () => {},
    })
    .addHelpText('after', help);
  const setup = { program, action };
  for (const addCommand of commands) addCommand(setup);
  addCommonOptions(program);
  return program;
}

/** What is wrong with the usage, without the value of an unknown option, which may be a secret. */
export function usageMessage({ code, message }: CommanderError): string {
  const redacted = message.replace(/'(--?[\w-]+)=[^']*'/g, "'$1=…'");
  const hint =
    code === 'commander.unknownCommand' ? 'payhooks --help lists the commands' : 'add --help for usage';
  return `${redacted.replace(/^error: /, '')}\n(${hint})`;
}
