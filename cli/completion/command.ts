import { Argument } from 'commander';
import { exitCodes } from '../command-error.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { bashScript, fishScript, zshScript } from './scripts.ts';
import { type CommandWords, commandWords } from './words.ts';

const scripts: Readonly<Record<string, (words: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Added after all other commands: the script lists what the program has, and needs no stack. */
export function addCompletion({ program, action }: CommandSetup): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts)))
    .addHelpText(
      'after',
      `
The script completes the word payhooks, also where that is an alias of npx payhooks. It calls nothing.

  bash, in ~/.bashrc:                   source <(npx payhooks completion bash)
  zsh, in ~/.zshrc after compinit:      source <(npx payhooks completion zsh)
  fish, in ~/.config/fish/config.fish:  npx payhooks completion fish | source
${examplesOf('completion bash >payhooks.bash')}`,
    )
    .action(
      action(async ({ terminal }, shell: string) => {
        const script = scripts[shell]?.(commandWords(program)) ?? '';
        terminal.print(script.trimEnd());
        return exitCodes.done;
      }),
    );
}
