import { shellQuoted } from '../operator/shell-quoted.ts';

/**
 * The command that goes on at a cursor: the one that was typed. What goes on from an interrupted preview is
 * the preview, because nothing was done yet.
 */
export function resumeCommand(argv: readonly string[], cursor: string, isPreview: boolean): string {
  const kept = argv.filter((word, index) => !/^--resume(=|$)/.test(word) && argv[index - 1] !== '--resume');
  const preview = isPreview && !argv.includes('--dry-run') ? ['--dry-run'] : [];
  return ['payhooks', ...kept, ...preview, '--resume', cursor].map(shellQuoted).join(' ');
}
