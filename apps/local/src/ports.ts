import { once } from "node:events";
import { createServer } from "node:net";
import { LocalError } from "./settings.js";

/** @throws {LocalError} when somebody listens there already. */
export async function assertPortFree(port: number, what: string): Promise<void> {
  if (port === 0) return;
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
  probe.close();
  await once(probe, "close");
}
