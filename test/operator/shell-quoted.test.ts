import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellQuoted } from '../../operator/shell-quoted.ts';

const texts = [
  ...["it's", '$(id)', '`id`', 'a\\b', '!!', '*?[]{}', '#a', '~root', ' ', '', '😀 é'],
  ...['a\nb', 'a\t0', '\u202eabc', 'é\u200b7', "a\\'b\u202e'", '\u{e0001}x', '👨\u200d👩', '\u20280'],
];

it.each(['C.UTF-8', 'C'])('bash reads a quoted word as it was in the locale %s', (locale) => {
  const words = texts.map(shellQuoted).join(' ');
  const { stdout } = spawnSync('bash', ['--norc', '-c', `printf '%s\\0' ${words}`], {
    env: { ...process.env, LC_ALL: locale },
  });
  expect(stdout.toString().split('\0').slice(0, -1)).toEqual(texts);
});
