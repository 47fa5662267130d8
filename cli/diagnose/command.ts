import { diagnoseBytesMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { readBody } from '../input.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { environmentKey, type NamedKey, stackKeys } from '../private-keys.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { diagnose, mistakeTexts } from './diagnosis.ts';

interface DiagnoseOptions extends CommonOptions {
  readonly body: string;
  readonly signature: string;
}

const help = `
The key is the one in PAYHOOKS_PRIVATE_KEY if it is set, otherwise the keys of the stack are tried.

Exit code 0: the signature is right. 1: it is wrong, and the mistake that explains it is printed.
`;

export function define({ command, action }: CommandSetup): void {
  command
    .requiredOption('--body <file>', 'the body as it arrived; - is standard input')
    .requiredOption('--signature <value>', 'the value of the signature header')
    .addHelpText('after', help + examplesOf('diagnose --body body.json --signature 5f0c…'))
    .action(action(diagnoseBody));
}

async function diagnoseBody(session: Session, options: DiagnoseOptions): Promise<ExitCode> {
  const { terminal } = session;
  const body = await readBody(session, options.body, diagnoseBytesMax);
  const keys = await keysOf(session, options);
  const { verdict, mistakes, key } = diagnose({ body, header: options.signature, keys });
  const described = mistakes.map((name) => {
    const [message, advice] = mistakeTexts[name];
    return { name, message, advice };
  });
  // Without the text of the key.
  const { id, mode, state, from } = key ?? {};
  return show(session, options, {
    document: { verdict, mistakes: described, key: key === undefined ? null : { id, mode, state, from } },
    print() {
      if (verdict === 'right') terminal.print(terminal.style('green', 'The signature is right.'));
      for (const { name, message, advice } of described) {
        terminal.print(`${terminal.style(verdict === 'unexplained' ? 'yellow' : 'red', name)}: ${message}`);
        terminal.print(`  ${advice}`);
      }
      if (key !== undefined) terminal.print(`Made with the key ${id} (${mode}, ${state}) of ${from}.`);
    },
    exitCode: verdict === 'right' ? exitCodes.done : exitCodes.failed,
  });
}

async function keysOf(session: Session, options: DiagnoseOptions): Promise<readonly NamedKey[]> {
  const own = await environmentKey(session);
  if (own !== undefined) return [own];
  const keys = await stackKeys(session, await createTarget(session, options).stack());
  if (keys.length > 0) return keys;
  throw new CommandError('failed', 'The key secret of the stack has no key: payhooks keys set');
}
