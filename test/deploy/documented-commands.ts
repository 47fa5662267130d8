/** A block of commands in a document. */
export interface Block {
  /** The heading above it. */
  readonly heading: string;
  readonly commands: string;
}

const pattern = /^#+ (?<heading>[^\n]+)$|^```(?<language>\w*)\n(?<text>.*?)^```$/gms;

/** The blocks of a Markdown document in this language, in their order. */
export function blocksOf(markdown: string, language: 'sh' | 'json'): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  for (const { groups = {} } of markdown.matchAll(pattern)) {
    if (groups['heading'] !== undefined) heading = groups['heading'];
    else if (groups['language'] === language) blocks.push({ heading, commands: groups['text'] ?? '' });
  }
  return blocks;
}
