import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { createInput } from '../../cli/input.ts';

/** A terminal in which `keys` are typed. It keeps what it shows and how it was set. */
function terminal(keys = '') {
  const modes: boolean[] = [];
  const shown: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => {
      modes.push(raw);
      if (raw) setImmediate(() => stdin.write(keys));
    },
  });
  const input = createInput(stdin as unknown as ReadStream, { write: (text) => shown.push(text) });
  return { input, modes, shown: () => shown.join('') };
}

it('the prompt for a line shows what is typed and resolves with it', async () => {
  const { input, shown } = terminal('a test\r');
  expect(await input.line('Why? ')).toBe('a test');
  expect(shown()).toContain('a test');
});

describe('the confirmation prompt', () => {
  it.each([['y\r'], ['Yes\r'], ['yes\n'], ['n\u007fy\r']])('resolves when %j is typed', async (keys) => {
    const { input, modes } = terminal(keys);
    await input.confirm('Delete it?', {});
    expect(modes).toEqual([true, false]);
  });

  it.each([['\r'], ['n\r'], ['nonsense\r'], ['\u0003'], ['\u0004']])(
    'rejects and gives the terminal back when %j is typed',
    async (key) => {
      const { input, modes, shown } = terminal(key);
      await expect(input.confirm('Delete it?', {})).rejects.toMatchObject({
        exitCode: 2,
        message: 'Not confirmed; nothing was changed.',
      });
      expect(modes).toEqual([true, false]);
      expect(shown()).toContain('Delete it? [y/N] ');
    },
  );

  it('rejects without a terminal, and so do the prompts for a line and for a secret', async () => {
    const input = createInput(new PassThrough() as unknown as ReadStream, { write: () => true });
    await expect(input.confirm('Delete it?', {})).rejects.toMatchObject({ exitCode: 2 });
    await expect(input.secret('Key: ')).rejects.toMatchObject({ exitCode: 2 });
    await expect(input.line('Why? ')).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('the prompt for a secret', () => {
  it('shows nothing of what is typed, nor how long it is', async () => {
    const { input, shown, modes } = terminal('pri_secretx\u007f\r');
    expect(await input.secret('Private key: ')).toBe('pri_secret');
    // The escapes put the cursor at the start of the line and after the prompt.
    expect(shown()).toBe('\u001b[1G\u001b[0JPrivate key: \u001b[14G\n');
    expect(modes).toEqual([true, false]);
  });

  it('ends with Ctrl-C and gives the terminal back', async () => {
    const { input, modes } = terminal('pri_\u0003');
    await expect(input.secret('Private key: ')).rejects.toMatchObject({ exitCode: 2 });
    expect(modes).toEqual([true, false]);
  });
});
