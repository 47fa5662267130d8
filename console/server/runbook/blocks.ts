import type { MarkedToken, Token, Tokens } from 'marked';
import type { Stack } from '../../../cli/target/stack.ts';
import { alarmGuide } from '../../../lambdas/contract/alarm-guide.ts';
import type { RunbookBlock, RunbookPart, RunbookText } from '../../contract/runbook.ts';
import { adaptLine, completeCommand } from './commands.ts';

/** Markdown as the page draws it. What the runbook does not use becomes plain text. */
export function blocksOf(tokens: readonly Token[], stack: Stack): readonly RunbookBlock[] {
  return tokens.flatMap((token) => blockOf(token as MarkedToken, stack) ?? []);
}

function blockOf(token: MarkedToken, stack: Stack): RunbookBlock | undefined {
  const textOf = (cell: { readonly tokens: readonly Token[] }) => partsOf(cell.tokens, stack);
  switch (token.type) {
    case 'space':
      return undefined;
    case 'code':
      return codeBlock(token, stack);
    case 'list':
      return { type: 'list', items: token.items.map((item) => blocksOf(item.tokens, stack)) };
    case 'table':
      return {
        type: 'table',
        head: token.header.map(textOf),
        rows: token.rows.map((row) => row.map(textOf)),
      };
    default:
      return {
        type: 'paragraph',
        text: partsOf('tokens' in token && token.tokens ? token.tokens : [token], stack),
      };
  }
}

function codeBlock({ text, lang }: Tokens.Code, stack: Stack): RunbookBlock {
  if (lang !== 'sh') return { type: 'code', code: text };
  return { type: 'commands', commands: text.split('\n').map((line) => adaptLine(stack, line)) };
}

const partsOf = (tokens: readonly Token[], stack: Stack): RunbookText =>
  tokens.map((token) => partOf(token as MarkedToken, stack));

function partOf(token: MarkedToken, stack: Stack): RunbookPart {
  switch (token.type) {
    case 'codespan': {
      const command = completeCommand(stack, token.text);
      return { type: 'code', text: token.text, ...(command !== undefined && { command }) };
    }
    case 'strong':
      return { type: 'strong', text: partsOf(token.tokens, stack) };
    case 'em':
      return { type: 'emphasis', text: partsOf(token.tokens, stack) };
    case 'link':
      return { type: 'link', text: partsOf(token.tokens, stack), to: targetOf(token.href) };
    default:
      return { type: 'text', text: ('text' in token ? token.text : token.raw).replaceAll('\n', ' ') };
  }
}

/** Links lead from `docs/runbook.md`. */
function targetOf(href: string): Extract<RunbookPart, { readonly type: 'link' }>['to'] {
  if (href === '#what-waits') return { type: 'waiting' };
  const alarm = Object.keys(alarmGuide).find((name) => href === `#${name.toLowerCase()}`);
  if (alarm !== undefined) return { type: 'alarm', name: alarm };
  if (/^https?:/.test(href)) return { type: 'document', place: href };
  if (href.startsWith('#')) return { type: 'document', place: `docs/runbook.md${href}` };
  return { type: 'document', place: href.startsWith('../') ? href.slice(3) : `docs/${href}` };
}
