import { describe, expect, it } from 'vitest';
import { synthesise } from './synthesis.ts';

const standard = synthesise();
const provisioned = synthesise({ verifierReservedConcurrency: 20, verifierProvisionedConcurrency: 2 });
const reservedIn = ({ ofType }: typeof standard) =>
  ofType('AWS::Lambda::Function').flatMap(
    ([, { Properties }]) => Properties['ReservedConcurrentExecutions'] ?? [],
  );

describe('the setting verifierReservedConcurrency', () => {
  it('reserves concurrency for the verifier and for no other function', () => {
    const stack = synthesise({ verifierReservedConcurrency: '50' });
    expect(stack.at('Verifier/Function/Lambda').Properties['ReservedConcurrentExecutions']).toBe(50);
    expect(reservedIn(stack)).toEqual([50]);
  });

  it('reserves nothing by default', () => {
    expect(reservedIn(standard)).toEqual([]);
    expect(standard.ofType('AWS::Lambda::Alias')).toEqual([]);
  });
});

describe('the setting verifierProvisionedConcurrency', () => {
  const alias = provisioned.idAt('Verifier/Function/Alias');

  it('keeps environments of the current version ready behind an alias', () => {
    expect(provisioned.only('AWS::Lambda::Alias').Properties).toMatchObject({
      FunctionName: { Ref: provisioned.idAt('Verifier/Function/Lambda') },
      ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 2 },
    });
    expect(provisioned.ofType('AWS::Lambda::Version')).toHaveLength(1);
  });

  it('sends webhooks to that alias, which only the API may invoke', () => {
    const integration = provisioned.at('Verifier/Endpoint/Webhook/Integration').Properties;
    expect(integration['IntegrationUri']).toEqual({ Ref: alias });
    const permitted = provisioned
      .propertiesOf('AWS::Lambda::Permission')
      .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes('VerifierFunction'));
    expect(permitted).toMatchObject([
      {
        FunctionName: { Ref: alias },
        Principal: 'apigateway.amazonaws.com',
        Action: 'lambda:InvokeFunction',
      },
    ]);
  });

  it.each([
    ['on', provisioned],
    ['off', standard],
  ])('is turned %s without a webhook that API Gateway may not pass on', (_, { at, idAt }) => {
    const { DependsOn } = at('Verifier/Endpoint/Webhook/Integration');
    expect(DependsOn).toEqual([idAt('Verifier/Endpoint/Webhook/Integration-Permission')]);
  });

  it('keeps every resource of a stack without it', () => {
    const ids = [...standard.resources.keys()];
    expect(ids.filter((id) => !provisioned.resources.has(id))).toEqual([]);
    expect(provisioned.resources.size).toBe(standard.resources.size + 2);
  });
});
