// Names below `localhost` are loopback by RFC 6761, 6.3, which not every resolver knows. Preloaded with
// `node --import` into a command that is run against MiniStack, whose APIs have such names.
import dns from 'node:dns';

const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(/\.localhost\.?$/.test(name) ? '127.0.0.1' : name, ...rest);
