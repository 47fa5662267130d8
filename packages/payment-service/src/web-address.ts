/** Requests to this machine cross no network. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether no network sees what is sent to this address: https, or http to a loopback address. */
export function isPrivateAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
}
