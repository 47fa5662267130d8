/** `npm run recording`: draws docs/terminal.svg, which the README shows. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pictureOf } from './picture.ts';
import { recordTerminal } from './recording.ts';

const lines = await recordTerminal();
const title = 'npm start sends signed events; payhooks status shows one that waits; an operator admits it';
await writeFile(join(import.meta.dirname, '../../docs/terminal.svg'), pictureOf(lines, title));
process.stdout.write(`${lines.join('\n')}\n`);
