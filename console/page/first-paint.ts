import { applyTheme, rememberedTheme } from './data/theme.ts';

// Runs before the first paint, so that a remembered theme does not flash.
applyTheme(rememberedTheme());
