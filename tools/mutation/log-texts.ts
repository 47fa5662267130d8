import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What this plugin reads of a node of Babel. */
interface Node {
  readonly type: string;
  readonly callee?: { readonly type: string; readonly property?: { readonly name?: string } };
  readonly arguments?: readonly Node[];
}

interface Path {
  readonly node: Node;
  readonly parent: Node | undefined;
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

/** Stryker loads this file by its path, and the ignorer by its name. */
export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'log-texts', {
    shouldIgnore: (path) => (isLogMessage(path as Path) ? 'the wording of a log message' : undefined),
  }),
];
