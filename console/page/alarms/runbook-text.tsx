import type { MarkedToken, Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMode } from '../data/address.ts';
import { withQuery } from '../data/api.ts';
import { Code } from '../parts/code.tsx';
import { CopyButton } from '../parts/copy-button.tsx';

interface RunbookTextProps {
  readonly tokens: readonly Token[];
}

/** Parsed Markdown as elements: nothing in it becomes markup. */
export const RunbookText = ({ tokens }: RunbookTextProps) =>
  tokens.map((token, index) => <RunbookToken key={index} token={token as MarkedToken} />);

function RunbookToken({ token }: { readonly token: MarkedToken & { readonly command?: string } }) {
  const inner = (): ComponentChildren => {
    if ('tokens' in token && token.tokens) return <RunbookText tokens={token.tokens} />;
    return 'text' in token ? token.text.replaceAll('\n', ' ') : token.raw;
  };
  switch (token.type) {
    case 'space':
      return null;
    case 'code':
      return token.lang === 'sh' ? (
        token.text.split('\n').map((line) => <Code key={line} text={line} label="command" />)
      ) : (
        <Code text={token.text} label="code" />
      );
    case 'list':
      return (
        <ul>
          {token.items.map((item: Tokens.ListItem, index: number) => (
            <li key={index}>
              <RunbookText tokens={item.tokens} />
            </li>
          ))}
        </ul>
      );
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'paragraph':
      return <p>{inner()}</p>;
    case 'codespan':
      return (
        <>
          <code>{token.text}</code>
          {token.command !== undefined && <CopyButton text={token.command} label={`Copy ${token.command}`} />}
        </>
      );
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'link':
      return <Link href={token.href}>{inner()}</Link>;
    default:
      return <>{inner()}</>;
  }
}

function Table({ table: { header, rows } }: { readonly table: Tokens.Table }) {
  const cells = (row: readonly Tokens.TableCell[], Cell: 'th' | 'td') => (
    <tr>
      {row.map(({ tokens }, index) => (
        <Cell key={index}>
          <RunbookText tokens={tokens} />
        </Cell>
      ))}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls with the arrow keys.
    <section class="table-scroll" aria-label="Table" tabIndex={0}>
      <table>
        <thead>{cells(header, 'th')}</thead>
        <tbody>{rows.map((row) => cells(row, 'td'))}</tbody>
      </table>
    </section>
  );
}

/** A link leads to another page of the console; a document is named, because no server has it. */
function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const mode = useMode();
  if (href.startsWith('/console/'))
    return <a href={withQuery(href, { mode: mode === 'live' ? undefined : mode })}>{children}</a>;
  return (
    <>
      {children} <span class="faint">({href})</span>
    </>
  );
}
