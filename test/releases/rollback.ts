/**
 * Looks whether an earlier release reads what this one writes, which a rollback stands on: this one's local mode gets
 * events, the earlier one's goes on over its tables, and both have to answer alike, also after the events came once
 * more. `node test/releases/rollback.ts FOLDER`, where FOLDER is a checkout of the earlier release with its
 * dependencies installed. Fields that only one of them knows have to be looked at by a person.
 */
import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { privateKey, sandboxKey } from '../acceptance/target.ts';
import type { StoredAnswer } from './kept-release.ts';
import { createQuestioning } from './questioning.ts';
import { runRelease } from './running-release.ts';

const [, , earlier] = process.argv;
if (earlier === undefined) throw new Error('Name the folder of the earlier release.');
const dataDirectory = mkdtempSync(join(tmpdir(), 'payhooks-rollback-'));
const data = { dataDirectory, privateKey, sandboxKey };
try {
  const told = await sendAndAsk(join(import.meta.dirname, '..', '..'));
  const toldEarlier = await sendAndAsk(resolve(earlier));
  deepStrictEqual(toldEarlier, told);
  process.stdout.write(`The earlier release gives the same ${told.length} answers.\n`);
} finally {
  rmSync(dataDirectory, { recursive: true, force: true });
}

/** Cursors hold the time, so the pages behind them are left out. */
async function sendAndAsk(folder: string): Promise<readonly StoredAnswer[]> {
  const running = await runRelease({ folder, ...data });
  const { sendEvents, askQuestions } = createQuestioning(running.baseUrl);
  try {
    await sendEvents();
    const { answers } = await askQuestions();
    return answers.filter(({ path }) => !path.startsWith('/orders?limit'));
  } finally {
    await running.stop();
  }
}
