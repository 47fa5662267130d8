/**
 * Whose ARN it is, for what needs two people. Of an assumed role the caller chooses the session name, so the
 * role is the identity. For a role of IAM Identity Center AWS names the session after the user, who may have
 * several of these roles, so that name is the identity. Who calls with a federation token chose its name too.
 */
export function identityOf(arn: string): string {
  const [, account, kind, name = '', session = ''] =
    /^arn:[^:]*:sts::(\d*):(assumed-role|federated-user)\/([^/]*)(?:\/(.*))?$/.exec(arn) ?? [];
  if (kind === undefined) return arn;
  if (kind === 'federated-user') return `${account}:federated users`;
  return name.startsWith('AWSReservedSSO_')
    ? `user of Identity Center:${session}`
    : `${account}:role:${name}`;
}
