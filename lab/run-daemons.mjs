// Programs of outside that a lab starts: free ports, waiting until they serve, and ending them.
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Tries until a check does not throw.
 *
 * @param what is waited for, for the message
 * @throws {Error} after so many seconds
 */
export async function until(what, check, seconds = 180) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`Waited ${seconds} s until ${what}`, { cause: error });
    }
    await sleep(500);
  }
}

/** Ends a child process: after ten seconds by force. */
export async function end(daemon) {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = new Promise((resolve) => daemon.once("exit", resolve));
  daemon.kill("SIGTERM");
  const timer = setTimeout(() => daemon.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(timer);
}

/** @returns {Promise<number>} a port of 127.0.0.1 that is free now */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
