import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { type Node, parseDocument, visit } from 'yaml';
import { selfContained } from '../openapi-documents.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');

describe.each(['openapi.yaml', 'operations.openapi.yaml'] as const)('docs/%s', (file) => {
  it('has no anchors and aliases, of which generators of clients refuse many', () => {
    const anchors: string[] = [];
    visit(parseDocument(readFileSync(join(docs, file), 'utf8')), {
      Node(_, node: Node & { anchor?: string }) {
        if (node.anchor !== undefined) anchors.push(node.anchor);
      },
    });
    expect(anchors).toEqual([]);
  });

  it('becomes one OpenAPI 3.1 document in which every reference has its target', async () => {
    const document = selfContained(file);
    const validator = new Validator();
    expect(await validator.validate(document)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g);
    const missing = [...references].filter(([, path = '']) => {
      const [root, ...keys] = path.split('/');
      const target = keys.reduce<Record<string, never> | undefined>((at, key) => at?.[key], document);
      return root !== '#' || target === undefined;
    });
    expect(missing).toEqual([]);
  });

  it('is the JSON document beside it', async () => {
    const text = `${JSON.stringify(selfContained(file), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(docs, file.replace('.yaml', '.json')));
  });

  it('gives each sequence 64 bits, because every restore adds 1,000,000,000', () => {
    const sequences = JSON.stringify(selfContained(file)).match(/"sequence":\{[^}]*\}/g);
    expect(sequences?.length).toBeGreaterThan(0);
    expect(sequences?.filter((schema) => !schema.includes('"format":"int64"'))).toEqual([]);
  });
});
