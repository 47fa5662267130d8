import { diagnoseBytesMax, secretInputBytesMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { readBody } from '../body-input.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { environmentKey, givenKey, stackKeys } from '../private-keys.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { type Diagnosis, diagnose, type Evidence } from './diagnosis.ts';
import { type Mistake, mistakeTexts } from './forms.ts';

interface DiagnoseOptions extends CommonOptions {
  readonly body: string;
  readonly signature?: string;
  readonly signatureFile?: string;
  readonly prompt?: true;
  readonly stdin?: true;
}

const help = `
The keys are those of the stack. Without a stack, pass one in PAYHOOKS_PRIVATE_KEY, at a prompt (--prompt) or
on standard input (--stdin). With --stack or --local as well, the keys of the stack are tried after that one;
a match with one of them is reported as a mistake.

Exit code 0: the signature is right. 1: it is wrong, and the mistake that explains it is printed.
`;

export function define({ command, action }: CommandSetup): void {
  command
    .requiredOption('--body <file>', 'the body as it arrived; - is standard input')
    .option('--signature <value>', 'the value of the signature header')
    .option('--signature-file <file>', 'a file with the value of the signature header')
    .option('--prompt', 'read the key from a prompt that does not show it')
    .option('--stdin', 'read the key from standard input')
    .addHelpText(
      'after',
      help +
        examplesOf(
          'diagnose --body body.json --signature 5f0c…',
          'diagnose --body body.json --signature-file header.txt --prompt',
        ),
    )
    .action(action(diagnoseBody));
}

async function diagnoseBody(session: Session, options: DiagnoseOptions): Promise<ExitCode> {
  const header = await headerOf(session, options);
  if (options.body === '-' && options.stdin) {
    throw new CommandError('wrongUsage', 'Standard input can hold the body or the key, not both.');
  }
  const body = await readBody(session, options.body, diagnoseBytesMax);
  const diagnosis = diagnose({ body, header, keys: await keysOf(session, options) });
  if (options.json) session.terminal.json(report(diagnosis));
  else print(session, diagnosis);
  return diagnosis.verdict === 'right' ? exitCodes.done : exitCodes.failed;
}

async function headerOf(session: Session, options: DiagnoseOptions): Promise<string> {
  const { signature, signatureFile } = options;
  if ((signature === undefined) === (signatureFile === undefined)) {
    throw new CommandError('wrongUsage', 'Give the signature with either --signature or --signature-file.');
  }
  if (signature !== undefined) return signature;
  const text = (await readBody(session, signatureFile ?? '', secretInputBytesMax)).toString('utf8');
  // Every editor ends a file with a line end.
  return text.replace(/\r?\n$/, '');
}

async function keysOf(session: Session, options: DiagnoseOptions): Promise<Evidence['keys']> {
  const isGiven = options.prompt === true || options.stdin === true;
  const own = isGiven ? await givenKey(session, options.stdin) : await environmentKey(session);
  const hasTarget = options.stack !== undefined || options.local !== undefined;
  if (own !== undefined && !hasTarget) return [own];
  const keys = await stackKeys(session, await createTarget(session, options).stack());
  if (own === undefined && keys.length === 0) {
    throw new CommandError('failed', 'The key secret of the stack has no key: payhooks keys set');
  }
  if (own === undefined) return keys;
  return [own, ...keys.filter(({ text }) => text !== own.text).map((key) => ({ ...key, isOther: true }))];
}

function print({ terminal }: Session, { verdict, mistakes, key }: Diagnosis): void {
  if (verdict === 'right') terminal.print(terminal.style('green', 'The signature is right.'));
  for (const { name, message, advice } of mistakes.map(described)) {
    terminal.print(`${terminal.style(verdict === 'unexplained' ? 'yellow' : 'red', name)}: ${message}`);
    terminal.print(`  ${advice}`);
  }
  if (key !== undefined) {
    terminal.print(`Made with the key ${key.id} (${key.mode}, ${key.state}) of ${key.from}.`);
  }
}

/** Without the text of the key. */
function report({ verdict, mistakes, key }: Diagnosis) {
  const { id, mode, state, from } = key ?? {};
  return {
    verdict,
    mistakes: mistakes.map(described),
    key: key === undefined ? null : { id, mode, state, from },
  };
}

function described(name: Mistake) {
  const [message, advice] = mistakeTexts[name];
  return { name, message, advice };
}
