import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { LocalError } from "./settings.js";

/**
 * Makes sure that nobody listens at a port, and picks one where it does not matter which: parts that must know of each other
 * before either runs need their numbers first.
 *
 * @param port 0: any
 * @throws {LocalError} when somebody listens there already
 */
export async function choosePort(port: number, what: string): Promise<number> {
  const probe = createServer();
  try {
    probe.listen(port, "127.0.0.1");
    await once(probe, "listening");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new LocalError(
      code === "EACCES"
        ? `Port ${port}, for the ${what}, is not open to this user: set PORT to a number above 1023.`
        : `Port ${port}, for the ${what}, is already taken: end what listens there, or set PORT to another number.`,
    );
  }
  const { port: chosen } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return chosen;
}
