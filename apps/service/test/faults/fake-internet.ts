/** Names of the fake internet. `rebinding` alternates between a public address and this machine's. */
export const names = { receiver: "receiver.hooks.example", rebinding: "rebinding.hooks.example" };
/** Where the public address of the fake internet leads to. The service must never connect to 127.0.0.1 by itself. */
export const PUBLIC_HOST = "127.0.0.2";

/**
 * The NODE_OPTIONS of a process for which {@link names} are public hosts. Only the resolver and the route to the public address are
 * replaced, so the process needs no setting that allows private addresses.
 */
export function fakeInternet({ isRebinding }: { isRebinding: boolean }): string {
  const script = `
    import { Resolver } from "node:dns/promises";
    import net from "node:net";
    const PUBLIC = "8.8.8.8";
    let lookups = 0;
    Resolver.prototype.resolve4 = async (name) => {
      if (!${JSON.stringify(Object.values(names))}.includes(name)) throw new Error("unknown name " + name);
      const isBad = ${isRebinding} && name === ${JSON.stringify(names.rebinding)} && ++lookups % 2 === 0;
      return [isBad ? "127.0.0.1" : PUBLIC];
    };
    Resolver.prototype.resolve6 = async () => [];
    const route = (address) => (address === PUBLIC ? ${JSON.stringify(PUBLIC_HOST)} : address);
    const { connect } = net.Socket.prototype;
    net.Socket.prototype.connect = function (...args) {
      const options = Array.isArray(args[0]) ? args[0][0] : args[0];
      const judged = options?.lookup;
      if (judged) options.lookup = (name, wanted, callback) => judged(name, wanted, (error, found, family) =>
        callback(error, Array.isArray(found) ? found.map((one) => ({ ...one, address: route(one.address) })) : route(found), family));
      return connect.apply(this, args);
    };`;
  return `--import data:text/javascript,${encodeURIComponent(script)}`;
}
