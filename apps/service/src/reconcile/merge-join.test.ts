import { describe, expect, test } from "vitest";
import { compareBytes, mergeJoin } from "./merge-join.js";

async function* of(...paths: string[]) {
  for (const path of paths) yield { path };
}

async function pairs(left: string[], right: string[]): Promise<string[]> {
  const all: string[] = [];
  for await (const pair of mergeJoin(of(...left), of(...right)))
    all.push(`${pair.left?.path ?? "-"} ${pair.right?.path ?? "-"}`);
  return all;
}

describe("merging two ascending sequences", () => {
  test.each<[string[], string[], string[]]>([
    [[], [], []],
    [["a"], [], ["a -"]],
    [[], ["a"], ["- a"]],
    [
      ["a", "b"],
      ["a", "b"],
      ["a a", "b b"],
    ],
    [
      ["a", "c", "d"],
      ["b", "c", "e"],
      ["a -", "- b", "c c", "d -", "- e"],
    ],
    [["a", "b", "c"], ["b"], ["a -", "b b", "c -"]],
  ])("pairs %j and %j", async (left, right, expected) => {
    expect(await pairs(left, right)).toEqual(expected);
  });

  test("pairs every path of any two subsets", async () => {
    const names = ["Z", "a", "a.txt", "a_", "é", "हिन्दी", "\uff01", "🙂", "🙂🙂"].sort(compareBytes);
    for (let round = 0; round < 500; round++) {
      const left = names.filter(() => Math.random() < 0.5);
      const right = names.filter(() => Math.random() < 0.5);
      const expected = names
        .filter((name) => left.includes(name) || right.includes(name))
        .map((name) => `${left.includes(name) ? name : "-"} ${right.includes(name) ? name : "-"}`);
      expect(await pairs(left, right)).toEqual(expected);
    }
  });

  test("orders by UTF-8 bytes where JavaScript's own order differs", async () => {
    expect(["🙂", "\uff01"].sort()).toEqual(["🙂", "\uff01"]);
    expect(["🙂", "\uff01"].sort(compareBytes)).toEqual(["\uff01", "🙂"]);
    expect(await pairs(["\uff01", "🙂"], ["🙂"])).toEqual(["\uff01 -", "🙂 🙂"]);
  });

  test("refuses a listing that is out of order", async () => {
    await expect(pairs(["b", "a"], [])).rejects.toThrow("not in the order");
    await expect(pairs([], ["a", "a"])).rejects.toThrow("not in the order");
  });
});
