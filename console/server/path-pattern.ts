import { ConsoleProblem } from './problem.ts';

/** A path such as `/orders/{id}/events`. */
export interface PathPattern {
  matches(path: string): boolean;
  /** Percent-decoded. Throws a 400 for one that is not well encoded. */
  parametersOf(path: string): Readonly<Record<string, string>>;
}

/** A path is split before it is decoded, so that an id may hold a slash. */
export function pathPattern(pattern: string): PathPattern {
  const expected = pattern.split('/');
  return {
    matches(path) {
      const given = path.split('/');
      return (
        given.length === expected.length &&
        expected.every((segment, at) => (isParameter(segment) ? given[at] !== '' : given[at] === segment))
      );
    },
    parametersOf(path) {
      const given = path.split('/');
      const parameters = expected.flatMap((segment, at) =>
        isParameter(segment) ? [[segment.slice(1, -1), decode(given[at] ?? '')]] : [],
      );
      return Object.fromEntries(parameters);
    },
  };
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Throws a 400 for text that is not well percent-encoded. */
export function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new ConsoleProblem(400, 'The path is not well percent-encoded.', { cause });
  }
}

/** The methods of the routes of one path. */
export const methodsOf = (routes: readonly { readonly method: 'GET' | 'POST' }[]): readonly string[] =>
  routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
