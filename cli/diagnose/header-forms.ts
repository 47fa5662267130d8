import { type Mistake, mistake } from './mistake.ts';

/** A digest that the header may mean, in lower-case hexadecimal, and what stands between the two. */
export interface HeaderForm {
  readonly digest: string;
  readonly mistakes: readonly Mistake[];
}

const digestLengths = [32, 40, 64, 96, 128];

/** What a header may mean; none when no digest is in it. */
export function headerForms(header: string): readonly HeaderForm[] {
  const parts = header.split(',');
  if (parts.length === 1) return formsOf(header, []);
  const joined = mistake('joined_by_comma', `The header holds ${parts.length} values, joined by commas.`);
  // The white space behind a comma comes from the joining.
  return parts.flatMap((part) => formsOf(part.trim(), [joined]));
}

function formsOf(value: string, before: readonly Mistake[]): readonly HeaderForm[] {
  const mistakes = [...before];
  let text = value;
  const step = (found: string | undefined, made: Mistake): void => {
    if (found === undefined || found === text) return;
    text = found;
    mistakes.push(made);
  };
  const space = mistake('white_space_in_header', 'There is white space around the signature.');
  step(/^[\w-]+:(.*)$/s.exec(text)?.[1], mistake('header_line', 'The name of the header stands before it.'));
  const isLine = mistakes.at(-1)?.name === 'header_line';
  // Behind a name there always is a space.
  if (isLine) text = text.trim();
  else step(text.trim(), space);
  const quotes = mistake('quoted', 'The signature stands in quotation marks.');
  step(/^(["'])(.*)\1$/s.exec(text)?.[2], quotes);
  const [, prefix, rest] = /^((?:hmac[-_]?)?sha-?256|v\d|s|sig(?:nature)?)=(.+)$/is.exec(text) ?? [];
  step(rest, mistake('prefixed', `The prefix "${prefix}=" stands before the digest.`));
  if (/^[0-9a-f]+$/i.test(text) && digestLengths.includes(text.length)) {
    step(text.toLowerCase(), mistake('upper_case', 'The digest is written in upper case.'));
    return [{ digest: text, mistakes }];
  }
  const bytes = /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (bytes?.length !== 32) return [];
  const digest = bytes.toString('hex');
  return [{ digest, mistakes: [...mistakes, mistake('base64_digest', 'The digest is written as base64.')] }];
}
