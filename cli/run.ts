import { Command, CommanderError } from 'commander';
import { addAccount } from './account/command.ts';
import { type ExitCode, exitCodes } from './command-error.ts';
import { addDiagnose } from './diagnose/command.ts';
import { explainError } from './explain-error.ts';
import { addKeys } from './keys/command.ts';
import { addCommonOptions, type CommandSetup } from './options.ts';
import { addOrder } from './order/command.ts';
import { refuseKeyArguments } from './private-keys.ts';
import { addSend } from './send/command.ts';
import type { Session } from './session.ts';
import { addSmoke } from './smoke/command.ts';
import type { Terminal } from './terminal.ts';
import { addToken } from './token/command.ts';
import { addWebhooks } from './webhooks/command.ts';

/** A new command is a folder with a `command.ts`, and an entry here. --help shows this order. */
const commands = [addWebhooks, addAccount, addToken, addKeys, addSend, addOrder, addDiagnose, addSmoke];

const help = `
Which payhooks:
  --stack NAME     a stack in AWS; credentials and region come from the environment
  --local [URL]    local mode
  Without either: local mode if it runs at http://127.0.0.1:4800, otherwise the only stack in the region
  with the tag application=payhooks.

Environment:
  PAYHOOKS_SERVICE_URL             a payment service other than that of the stack
  PAYHOOKS_PRIVATE_KEY             the key to call it with; keys, send, diagnose and smoke read it too
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

Examples:
  payhooks webhooks audit
  payhooks keys add --overlap 24h
  payhooks send --order order-1 --follow
  payhooks smoke --stack payhooks-production
`;

/** Runs one command line, without the program's own name. Never rejects. */
export async function run(argv: readonly string[], session: Session): Promise<ExitCode> {
  let result: ExitCode = exitCodes.done;
  const program = createProgram(session.terminal);
  const setup: CommandSetup = {
    program,
    action:
      (work) =>
      async (...given) => {
        result = await work(session, ...given);
      },
  };
  for (const addCommand of commands) addCommand(setup);
  addCommonOptions(program);
  try {
    refuseKeyArguments(argv);
    await program.parseAsync([...argv], { from: 'user' });
    return result;
  } catch (error) {
    // Commander has printed its message. `--help` ends here too, with exit code 0.
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    }
    const { message, exitCode } = explainError(error, session.env);
    session.terminal.note(`error: ${message}`);
    return exitCode;
  }
}

function createProgram(terminal: Terminal): Command {
  return new Command('payhooks')
    .description('Operate a payhooks stack and the webhooks of its payment account.')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ visibleCommands: ({ commands }) => [...commands] })
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
    .configureOutput({
      writeOut: (text) => terminal.print(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.note(text.replace(/\n$/, '')),
      // The value of an unknown option may be a secret.
      outputError: (text, write) => write(text.replace(/'(--?[\w-]+)=[^']*'/g, "'$1=…'")),
    })
    .addHelpText('after', help);
}
