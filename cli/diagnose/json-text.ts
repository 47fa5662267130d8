/** How a serialiser lays JSON out. */
export type Layout = 'kept' | 'compact' | 'spaced' | 'indent-2' | 'indent-4' | 'indent-tab';
/** How it writes strings. */
export type Strings = 'kept' | 'plain' | 'slashes' | 'ascii' | 'ascii-upper' | 'ascii-slashes' | 'html';

export const layouts: readonly Layout[] = ['kept', 'compact', 'spaced', 'indent-2', 'indent-4', 'indent-tab'];
export const stringForms: readonly Strings[] = [
  'kept',
  'plain',
  'slashes',
  'ascii',
  'ascii-upper',
  'ascii-slashes',
  'html',
];

const stringPattern = /"(?:[^"\\]|\\.)*"/gs;
const tokenPattern = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
const indents: Partial<Record<Layout, string>> = { 'indent-2': '  ', 'indent-4': '    ', 'indent-tab': '\t' };

/** The JSON in another writing: keys stay in their order, and numbers as they are written. */
export function rewritten(json: string, layout: Layout, strings: Strings): string {
  if (layout === 'kept') return json.replaceAll(stringPattern, (raw) => stringAs(raw, strings));
  const tokens = (json.match(tokenPattern) ?? []).map((token) =>
    token.startsWith('"') ? stringAs(token, strings) : token,
  );
  const indent = indents[layout];
  if (indent !== undefined) return indented(tokens, indent);
  if (layout === 'compact') return tokens.join('');
  return tokens.map((token) => (token === ',' || token === ':' ? `${token} ` : token)).join('');
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function indented(tokens: readonly string[], indent: string): string {
  let depth = 0;
  let out = '';
  const line = (): string => `\n${indent.repeat(depth)}`;
  tokens.forEach((token, index) => {
    const previous = tokens[index - 1];
    if (token === '}' || token === ']') {
      depth -= 1;
      const isEmpty = previous === '{' || previous === '[';
      out += isEmpty ? token : `${line()}${token}`;
      return;
    }
    if (previous === '{' || previous === '[' || previous === ',') out += line();
    out += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
  });
  return out;
}

const unit = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0');
const lower = (text: string): string => text.replaceAll(/[\u0080-\uffff]/g, (one) => `\\u${unit(one)}`);

const writings: Readonly<Record<Exclude<Strings, 'kept'>, (text: string) => string>> = {
  plain: (text) => text,
  slashes: (text) => text.replaceAll('/', '\\/'),
  ascii: lower,
  'ascii-upper': (text) => text.replaceAll(/[\u0080-\uffff]/g, (one) => `\\u${unit(one).toUpperCase()}`),
  'ascii-slashes': (text) => lower(text).replaceAll('/', '\\/'),
  html: (text) => text.replaceAll(/[<>&\u2028\u2029]/g, (one) => `\\u${unit(one)}`),
};

function stringAs(raw: string, strings: Strings): string {
  return strings === 'kept' ? raw : writings[strings](JSON.stringify(JSON.parse(raw)));
}
