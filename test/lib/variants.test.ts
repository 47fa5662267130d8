import { describe, expect, it } from 'vitest';
import { settingSchemas } from '../../lib/settings.ts';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

describe('the variants that are checked', () => {
  it('give every setting a value', () => {
    const given = new Set(Object.values(variants).flatMap((settings) => Object.keys(settings)));
    expect(Object.keys(settingSchemas).filter((name) => !given.has(name))).toEqual([]);
  });

  it('make a stack each that no other variant makes', () => {
    const templates = Object.values(variants).map((settings) => {
      const { resources, outputs } = synthesise(settings);
      return JSON.stringify([...resources, outputs]);
    });
    expect(new Set(templates).size).toBe(Object.keys(variants).length);
  });
});
