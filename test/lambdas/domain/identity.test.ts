import { expect, it } from 'vitest';
import { identityOf } from '../../../lambdas/domain/identity.ts';

const role = (name: string, session: string) => `arn:aws:sts::111122223333:assumed-role/${name}/${session}`;
const sso = (permissions: string, user: string) =>
  role(`AWSReservedSSO_${permissions}_0a1b2c3d4e5f6a7b`, user);

it.each([
  [
    'sessions of one role, whose names the caller chooses',
    role('Operators', 'ann'),
    role('Operators', 'bob'),
  ],
  [
    'permission sets of one user of Identity Center',
    sso('Operator', 'ann@x.example'),
    sso('Admin', 'ann@x.example'),
  ],
  [
    'names in federation tokens',
    'arn:aws:sts::111122223333:federated-user/ann',
    'arn:aws:sts::111122223333:federated-user/bob',
  ],
  ['requests without an identity', 'unidentified caller', 'unidentified caller'],
])('%s are one identity', (_, one, other) => {
  expect(identityOf(one)).toBe(identityOf(other));
});

it.each([
  ['users of IAM', 'arn:aws:iam::111122223333:user/ann', 'arn:aws:iam::111122223333:user/bob'],
  ['roles', role('Operators', 'x'), role('Managers', 'x')],
  ['users of Identity Center with one permission set', sso('Operator', 'ann'), sso('Operator', 'bob')],
  ['a role, and a user of Identity Center of its name', role('ann', 'x'), sso('Operator', 'ann')],
])('two %s are two identities', (_, one, other) => {
  expect(identityOf(one)).not.toBe(identityOf(other));
});
