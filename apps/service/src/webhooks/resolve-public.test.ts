import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { afterEach, expect, test } from "vitest";
import { resolvePublic } from "./resolve-public.js";

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

type Reply = { addresses: number[][] } | { error: number } | null;

const A = 1;
const AAAA = 28;

/** A name server. @param reply what it answers to a question of a type; null: it does not answer */
async function aNameServer(
  reply: (type: number) => Reply,
): Promise<{ address: string; questions: number[] }> {
  const socket = createSocket("udp4");
  opened.push(socket);
  const questions: number[] = [];
  socket.on("message", (message, { port, address }) => {
    const endOfName = message.indexOf(0, 12) + 1;
    const type = message.readUInt16BE(endOfName);
    questions.push(type);
    const answer = reply(type);
    if (answer) socket.send(toMessage(message.subarray(0, endOfName + 4), type, answer), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${socket.address().port}`, questions };
}

function toMessage(question: Buffer, type: number, answer: NonNullable<Reply>): Buffer {
  const addresses = "error" in answer ? [] : answer.addresses;
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | ("error" in answer ? answer.error : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((bytes) =>
    Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
  );
  return Buffer.concat([head, ...records]);
}

const IPV6 = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

test("finds the addresses of both families", async () => {
  const { address } = await aNameServer((type) => ({ addresses: type === A ? [[192, 0, 2, 1]] : [IPV6] }));
  expect(await resolvePublic("hooks.example.com", [address])).toEqual([
    { address: "192.0.2.1", family: 4 },
    { address: "2001:db8::1", family: 6 },
  ]);
});

test("a name with addresses of one family is enough", async () => {
  const { address } = await aNameServer((type) => ({ addresses: type === AAAA ? [IPV6] : [] }));
  expect(await resolvePublic("hooks.example.com", [address])).toEqual([
    { address: "2001:db8::1", family: 6 },
  ]);
});

test.each([
  ["a name that does not exist", { error: 3 }, "ENOTFOUND"],
  ["a name without an address", { addresses: [] }, "ENOTFOUND"],
  ["a name server that fails", { error: 2 }, "EAI_AGAIN"],
] as const)("%s is refused with the code of dns.lookup", async (_, reply, code) => {
  const { address } = await aNameServer(() => reply as NonNullable<Reply>);
  await expect(resolvePublic("hooks.example.com", [address])).rejects.toMatchObject({ code });
});

test("name servers that never answer delay no other lookup of the process", async () => {
  const { address, questions } = await aNameServer(() => null);
  const stuck = Array.from({ length: 20 }, () =>
    resolvePublic("hooks.example.com", [address]).catch(() => null),
  );
  await expect.poll(() => questions.length).toBeGreaterThanOrEqual(20);
  expect(await Promise.race([lookup("localhost"), ...stuck])).toMatchObject({ address: expect.any(String) });
});
