import { ConsoleProblem } from './problem.ts';

/** The parameters of a path, percent-decoded; `undefined` when the path does not match. */
export type MatchPath = (path: string) => Readonly<Record<string, string>> | undefined;

/**
 * Matches paths with a pattern such as `/orders/{id}/events`. A path is split before it is decoded, so that
 * an id may hold a slash. Throws a 400 for a parameter that is not well percent-encoded.
 */
export function pathPattern(pattern: string): MatchPath {
  const expected = pattern.split('/');
  return function matchPath(path) {
    const given = path.split('/');
    const isMatch =
      given.length === expected.length &&
      expected.every((segment, at) => (isParameter(segment) ? given[at] !== '' : given[at] === segment));
    if (!isMatch) return undefined;
    const parameters = expected.flatMap((segment, at) =>
      isParameter(segment) ? [[segment.slice(1, -1), decode(given[at] ?? '')]] : [],
    );
    return Object.fromEntries(parameters);
  };
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new ConsoleProblem(400, 'The path is not well percent-encoded.', { cause });
  }
}
