import type { CommandWords, OptionWords } from './words.ts';

const indented = (lines: readonly string[], depth: number): string =>
  lines.map((line) => ' '.repeat(depth) + line).join('\n');

/** A function of bash that finds the command in the words so far, and offers what may follow it. */
export function bashScript(commands: readonly CommandWords[]): string {
  const paths = commands.slice(1).map(({ path }) => `"${path}"`);
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ long, choices }) => `"${path} ${long}") words="${choices.join(' ')}" ;;`),
  );
  const words = commands.map(({ path, subcommands, choices, options }) => {
    const following = [
      ...subcommands.map(({ name }) => name),
      ...choices,
      ...options.map(({ long }) => long),
    ];
    return `"${path}") words="${following.join(' ')}" ;;`;
  });
  return `# payhooks completion for bash
_payhooks() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local reached=payhooks words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$reached $word" in
      ${paths.join('|')}) reached="$reached $word" ;;
    esac
  done
  case "$reached $previous" in
${indented(values, 4)}
  esac
  if [ -z "$words" ]; then
    case "$reached" in
${indented(words, 6)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _payhooks payhooks
`;
}

/** zsh runs completions of bash. */
export const zshScript = (commands: readonly CommandWords[]): string =>
  `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`;

const fishQuoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** A line for each word that may follow a command, with its description. */
export function fishScript(commands: readonly CommandWords[]): string {
  const paths = commands.slice(1).map(({ path }) => fishQuoted(path));
  const lines = commands.flatMap(({ path, subcommands, choices, options }) => {
    const condition = `complete -c payhooks -n ${fishQuoted(`test "$(__payhooks_reached)" = "${path}"`)}`;
    return [
      ...subcommands.map(
        ({ name, description }) => `${condition} -f -a ${name} -d ${fishQuoted(description)}`,
      ),
      ...(choices.length === 0 ? [] : [`${condition} -f -a ${fishQuoted(choices.join(' '))}`]),
      ...options.map((option) => `${condition} ${fishOption(option)}`),
    ];
  });
  return `# payhooks completion for fish
function __payhooks_reached
  set -l reached payhooks
  for word in (commandline -opc)[2..-1]
    if contains -- "$reached $word" ${paths.join(' ')}
      set reached "$reached $word"
    end
  end
  echo $reached
end
${lines.join('\n')}
`;
}

function fishOption({ long, description, takesValue, choices }: OptionWords): string {
  const values = choices.length === 0 ? '' : ` -f -a ${fishQuoted(choices.join(' '))}`;
  return `-l ${long.slice(2)}${takesValue ? ' -r' : ''}${values} -d ${fishQuoted(description)}`;
}
