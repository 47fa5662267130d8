/** Whether an address is on this machine, so that nothing sent there crosses a network. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
