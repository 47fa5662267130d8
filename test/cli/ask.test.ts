import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { createAsk } from '../../cli/ask.ts';

/** A terminal that types `keys` and keeps what it shows and how it was set. */
function terminal(...keys: string[]) {
  const modes: boolean[] = [];
  const shown: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => {
      modes.push(raw);
      if (raw) for (const key of keys) stdin.write(key);
    },
  });
  const ask = createAsk(stdin as unknown as ReadStream, { write: (text) => shown.push(text) });
  return { ask, modes, shown: () => shown.join('') };
}

describe('a question', () => {
  it.each([['y\r'], ['Yes\r'], ['y', 'e', 's', '\n'], ['n', '\u007f', 'y', '\r']])(
    'is confirmed by %j',
    async (...keys) => {
      const { ask, modes } = terminal(...keys);
      await ask.confirm('Delete it?', {});
      expect(modes).toEqual([true, false]);
    },
  );

  it.each([['\r'], ['n\r'], ['nonsense\r'], ['\u0003'], ['\u0004']])(
    'is not confirmed by %j',
    async (key) => {
      const { ask, modes, shown } = terminal(key);
      await expect(ask.confirm('Delete it?', {})).rejects.toMatchObject({
        exitCode: 2,
        message: 'Not confirmed; nothing was changed.',
      });
      expect(modes).toEqual([true, false]);
      expect(shown()).toContain('Delete it? [y/N] ');
    },
  );

  it('is not asked with --yes', async () => {
    const { ask, shown } = terminal();
    await ask.confirm('Delete it?', { yes: true });
    expect(shown()).toBe('');
  });

  it('is refused where nobody can answer', async () => {
    const ask = createAsk(new PassThrough() as unknown as ReadStream, { write: () => true });
    await expect(ask.confirm('Delete it?', {})).rejects.toMatchObject({ exitCode: 2 });
    await expect(ask.hidden('Key: ')).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('a hidden prompt', () => {
  it('shows nothing of what is typed, nor how long it is', async () => {
    const { ask, shown, modes } = terminal('pri_se', 'cretx', '\u007f', '\r');
    expect(await ask.hidden('Private key: ')).toBe('pri_secret');
    expect([shown(), modes]).toEqual(['Private key: \n', [true, false]]);
  });

  it('ends with Ctrl-C, and gives the terminal back', async () => {
    const { ask, modes } = terminal('pri_', '\u0003');
    await expect(ask.hidden('Private key: ')).rejects.toMatchObject({ exitCode: 2 });
    expect(modes).toEqual([true, false]);
  });
});
