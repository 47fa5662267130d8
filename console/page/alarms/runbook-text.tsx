import type { Mode } from '@payhooks/order-client';
import type { ComponentChildren } from 'preact';
import type { Runbook, RunbookBlock, RunbookPart, RunbookText } from '../../contract/runbook.ts';
import { href } from '../data/href.ts';
import { Code } from '../parts/code.tsx';
import { CopyButton } from '../parts/copy-button.tsx';

/** The section of the runbook as elements: nothing in it becomes markup. */
export function RunbookBlocks({ blocks, mode }: Pick<Runbook, 'blocks'> & { readonly mode: Mode }) {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={index} block={block} mode={mode} />
      ))}
    </>
  );
}

function Block({ block, mode }: { readonly block: RunbookBlock; readonly mode: Mode }) {
  const texts = (list: readonly RunbookText[], Cell: 'th' | 'td') =>
    list.map((text, index) => (
      <Cell key={index}>
        <Text text={text} mode={mode} />
      </Cell>
    ));
  switch (block.type) {
    case 'commands':
      return (
        <>
          {block.commands.map((command) => (
            <Code key={command} text={command} label="command" />
          ))}
        </>
      );
    case 'code':
      return <Code text={block.code} label="code" />;
    case 'list':
      return (
        <ul>
          {block.items.map((item, index) => (
            <li key={index}>
              <RunbookBlocks blocks={item} mode={mode} />
            </li>
          ))}
        </ul>
      );
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls with the arrow keys.
        <section class="table-scroll" aria-label="Table" tabIndex={0}>
          <table>
            <thead>
              <tr>{texts(block.head, 'th')}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, index) => (
                <tr key={index}>{texts(row, 'td')}</tr>
              ))}
            </tbody>
          </table>
        </section>
      );
    default:
      return (
        <p>
          <Text text={block.text} mode={mode} />
        </p>
      );
  }
}

function Text({ text, mode }: { readonly text: RunbookText; readonly mode: Mode }): ComponentChildren {
  return text.map((part, index) => <Part key={index} part={part} mode={mode} />);
}

function Part({ part, mode }: { readonly part: RunbookPart; readonly mode: Mode }): ComponentChildren {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'code':
      return (
        <>
          <code>{part.text}</code>
          {part.command !== undefined && <CopyButton text={part.command} label={`Copy ${part.command}`} />}
        </>
      );
    case 'strong':
      return (
        <strong>
          <Text text={part.text} mode={mode} />
        </strong>
      );
    case 'emphasis':
      return (
        <em>
          <Text text={part.text} mode={mode} />
        </em>
      );
    case 'link':
      return <Link link={part} mode={mode} />;
  }
}

type LinkPart = Extract<RunbookPart, { readonly type: 'link' }>;

/** A link leads to another page of the console; a document is named, because no server has it. */
function Link({ link: { text, to }, mode }: { readonly link: LinkPart; readonly mode: Mode }) {
  const children = <Text text={text} mode={mode} />;
  if (to.type === 'alarm') return <a href={href.alarm(to.name, mode)}>{children}</a>;
  if (to.type === 'waiting') return <a href={href.waiting(mode)}>{children}</a>;
  return (
    <>
      {children} <span class="document-place">({to.place})</span>
    </>
  );
}
