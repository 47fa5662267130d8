import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { type StackParts, stackRoute } from './stack-route.ts';

/** Every resource of the console that both local mode and a deployed stack have. */
export const createRoutes = (context: ConsoleContext, parts: StackParts): readonly ConsoleRoute[] => [
  stackRoute(context, parts),
];
