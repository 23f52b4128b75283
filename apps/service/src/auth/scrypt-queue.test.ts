import { StowageError } from "@stowage/schemas";
import { expect, test } from "vitest";
import { createScryptQueue, queueOfLinks } from "./scrypt-queue.js";

/** Calls that run until the test ends them. */
function aWork() {
  const running: string[] = [];
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const start = (name: string) => () => {
    running.push(name);
    return ended;
  };
  return { running, end, start };
}

test("links hash one password at a time, so an operator's turn is free", async () => {
  const queue = createScryptQueue();
  const links = queueOfLinks(queue);
  const { running, end, start } = aWork();
  const all = Array.from({ length: 20 }, (_, n) => links.run(`192.0.2.${n}`, start("link")));
  const operator = queue.run("operator", start("operator"));
  await expect.poll(() => running).toEqual(["link", "operator"]);
  end();
  await Promise.all([...all, operator]);
  expect(running).toHaveLength(21);
});

test("refuses passwords of links beyond its bounds, and no one else's", async () => {
  const queue = createScryptQueue();
  const links = queueOfLinks(queue);
  const { end, start } = aWork();
  const codeOf = (error: unknown) => (error instanceof StowageError ? error.code : error);
  const visit = (client: string) => links.run(client, start(client)).then(() => "hashed", codeOf);
  const ofOne = Array.from({ length: 12 }, () => visit("192.0.2.1"));
  const ofMany = Array.from({ length: 60 }, (_, n) => visit(`198.51.100.${n}`));
  const operator = queue.run("operator", async () => "signed in");
  expect(await operator).toBe("signed in");
  end();
  const [one, many] = [await Promise.all(ofOne), await Promise.all(ofMany)];
  expect(one.filter((outcome) => outcome === "hashed")).toHaveLength(11);
  // Fifty wait: ten of the one address, and forty others.
  expect(many.filter((outcome) => outcome === "hashed")).toHaveLength(40);
  expect(new Set([...one, ...many])).toEqual(new Set(["hashed", "too_many_requests"]));
});
