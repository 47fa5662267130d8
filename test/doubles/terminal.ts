import type { Terminal } from '../../cli/terminal.ts';

/** A terminal without colours that records what is printed. */
export function recordTerminal() {
  const lines: string[] = [];
  const notes: string[] = [];
  const terminal: Terminal = {
    print: (line) => lines.push(line),
    json: (value) => lines.push(JSON.stringify(value)),
    table: (head, rows) => lines.push(...[head, ...rows].map((row) => row.join('  '))),
    note: (line) => notes.push(line),
    progress: () => {},
    isScreen: false,
    columns: 100,
    showsProgress: false,
    style: (_format, text) => text,
  };
  return { terminal, lines, notes };
}
