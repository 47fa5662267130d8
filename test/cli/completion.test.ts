import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runPayhooks } from './payhooks-process.ts';

const execute = promisify(execFile);

/** What bash offers after these words, the last of which is being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await runPayhooks(['completion', 'bash']);
  const typed = ['payhooks', ...words].map((word) => `'${word}'`).join(' ');
  const press = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _payhooks; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await execute('bash', ['--norc', '-uc', `${script}\n${press}`]);
  return stdout.split('\n').filter((word) => word !== '');
}

describe('payhooks completion bash', () => {
  it('offers commands, then the commands of a group, then options', async () => {
    expect(await offered('we')).toEqual(['webhooks']);
    expect(await offered('webhooks', 'u')).toEqual(['update']);
    expect(await offered('webhooks', 'update', '--u')).toEqual(['--url']);
    expect(await offered('keys', 'expire', '0db7afe7a3c8', '--a')).toEqual(['--at']);
  });

  it('offers the common options of a command, and help everywhere', async () => {
    expect(await offered('keys', 'list', '--')).toEqual(['--stack', '--local', '--json', '--help']);
    expect(await offered('--')).toEqual(['--version', '--help']);
  });

  it('offers the values of an argument that has a fixed set', async () => {
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
  });

  it('offers the values of an option that has a fixed set', async () => {
    expect(await offered('events', 'list', '--kind', 'c')).toEqual(['conflict']);
    expect(await offered('events', 'list', '--kind', 'un')).toEqual(['unassigned', 'unrecognised']);
  });

  it('takes the value of an option for no command', async () => {
    expect(await offered('send', '--order', 'keys', '--amo')).toEqual(['--amount']);
  });

  it('registers itself for the word payhooks', async () => {
    const { stdout: script } = await runPayhooks(['completion', 'bash']);
    const { stdout } = await execute('bash', ['--norc', '-c', `${script}\ncomplete -p payhooks`]);
    expect(stdout).toBe('complete -o default -F _payhooks payhooks\n');
  });
});

describe('payhooks completion', () => {
  it('for zsh loads the completions of bash first', async () => {
    const [bash, zsh] = await Promise.all(['bash', 'zsh'].map((shell) => runPayhooks(['completion', shell])));
    expect(zsh?.stdout).toBe(`autoload -U +X bashcompinit && bashcompinit\n${bash?.stdout}`);
  });

  it('for fish has a line for each command and option, with its description in quotes', async () => {
    const lines = (await runPayhooks(['completion', 'fish'])).stdout.split('\n');
    const at = (path: string) => `complete -c payhooks -n 'test "$(__payhooks_reached)" = "${path}"'`;
    expect(lines).toContain(`${at('payhooks keys')} -f -a expire -d 'Stop accepting a key (asks first)'`);
    const url = "a URL other than the stack\\'s output WebhookUrl";
    expect(lines).toContain(`${at('payhooks webhooks audit')} -l url -r -d '${url}'`);
    expect(lines).toContain(`${at('payhooks keys list')} -l json -d 'print JSON and nothing else'`);
  });

  it('refuses another shell and names those that it has', async () => {
    const { code, stderr } = await runPayhooks(['completion', 'tcsh']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are bash, zsh, fish.')]);
  });
});
