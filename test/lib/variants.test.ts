import { readTemplate } from '@payhooks/cdk-local/emulators';
import { expect, it } from 'vitest';
import { settingSchemas } from '../../lib/settings.ts';
import { synthesise } from './synthesis.ts';
import { variants } from './variants.ts';

it.each(Object.entries(variants))(
  'local mode runs the variant %s, and its functions know nothing outside',
  (_, settings) => {
    const paymentServiceBaseUrl = 'http://127.0.0.1:4810';
    const { resources, outputs } = synthesise(settings, {
      'payhooks:local': { paymentServiceBaseUrl },
      'aws:cdk:enable-asset-metadata': true,
    });
    const template = { Resources: Object.fromEntries(resources), Outputs: outputs };
    const assembly = { directory: '/out', stackName: 'payhooks-local', template };
    const addresses = { sqsEndpoint: 'http://127.0.0.1:1111', baseUrl: 'http://127.0.0.1:2222' };
    const { functions } = readTemplate(assembly, addresses);
    const variables = Object.assign({}, ...functions.map(({ environment }) => environment));
    expect(variables).toMatchObject({ PAYMENT_SERVICE_BASE_URL: paymentServiceBaseUrl, LOG_LEVEL: 'info' });
    expect(Object.values(variables).join()).not.toMatch(/example|111122223333/);
  },
);

it('the variants give every setting a value', () => {
  const given = new Set(Object.values(variants).flatMap((settings) => Object.keys(settings)));
  expect(Object.keys(settingSchemas).filter((name) => !given.has(name))).toEqual([]);
});
