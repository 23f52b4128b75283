import { describe, expect, test } from "vitest";
import { router } from "./router.js";

interface Judge {
  validateSearch?: (search: Record<string, unknown>) => object;
}

const pages = Object.entries(router.routesById).map(([id, { options }]) => ({
  id,
  judge: (options as Judge).validateSearch,
}));

describe("a page that reads its address", () => {
  test.each(pages.filter(({ judge }) => judge))(
    "sees nothing in it that it did not judge: $id",
    ({ judge }) => {
      const wrong = {
        q: {},
        sort: "evil",
        order: "up",
        cursor: {},
        days: "x",
        to: "//evil.example",
        other: "1",
      };
      expect(judge!(wrong)).toEqual(Object.fromEntries(Object.keys(wrong).map((name) => [name, undefined])));
    },
  );
});
