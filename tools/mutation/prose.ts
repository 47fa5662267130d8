import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What this plugin reads of a node of Babel. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly operator?: string;
  readonly id?: { readonly name?: string } | null;
  readonly callee?: { readonly type: string; readonly property?: { readonly name?: string } };
  readonly arguments?: readonly Node[];
}

interface Path {
  readonly node: Node;
  readonly parent: Node | undefined;
  readonly parentPath: Path | null;
}

/** The message of `telemetry.log(level, message, fields)`: nothing may depend on its wording. */
function isLogMessage({ node, parent }: Path): boolean {
  return (
    parent?.type === 'CallExpression' &&
    parent.callee?.type === 'MemberExpression' &&
    parent.callee.property?.name === 'log' &&
    parent.arguments?.[1] === node
  );
}

/** Words of a catalogue for people, such as `attentionSentences`; what chooses or fills them in is code. */
function isSentence(path: Path): boolean {
  const { type, value } = path.node;
  const hasWords = type === 'StringLiteral' && /\w,? \w/.test(String(value));
  return hasWords && !isCompared(path) && isOfSentences(path.parentPath);
}

/** A label of `case`, or an operand of a comparison; only `+` makes a longer text. */
const isCompared = ({ parent }: Path): boolean =>
  parent?.type === 'SwitchCase' || (parent?.type === 'BinaryExpression' && parent.operator !== '+');

const isOfSentences = (path: Path | null): boolean =>
  path !== null && (/Sentences?$/.test(path.node.id?.name ?? '') || isOfSentences(path.parentPath));

/** Stryker loads this file by its path, and the ignorer by its name. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'prose', {
    shouldIgnore: (path) => {
      if (isLogMessage(path as Path)) return 'the wording of a log message';
      return isSentence(path as Path) ? 'the wording of a sentence for people' : undefined;
    },
  }),
];
