import { expect, it } from 'vitest';
import { settingSchemas } from '../../lib/settings.ts';
import { variants } from './variants.ts';

it('the variants give every setting a value', () => {
  const given = new Set(Object.values(variants).flatMap((settings) => Object.keys(settings)));
  expect(Object.keys(settingSchemas).filter((name) => !given.has(name))).toEqual([]);
});
