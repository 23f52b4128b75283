import { expect, expectTypeOf, test } from "vitest";
import { camelKeys, snakeKeys } from "./casing.js";

test("renames keys to camelCase and to snake_case, in value and type", () => {
  const wire = { tenant_id: "t", content_md5: "m", is_new_tenant: true, size: 1 };
  const code = camelKeys(wire);
  expect(code).toEqual({ tenantId: "t", contentMd5: "m", isNewTenant: true, size: 1 });
  expectTypeOf(code).toEqualTypeOf<{
    tenantId: string;
    contentMd5: string;
    isNewTenant: boolean;
    size: number;
  }>();
  expect(snakeKeys({ filePath: "p", expiresAt: "e" })).toEqual({ file_path: "p", expires_at: "e" });
});

test("leaves nested objects unchanged, because they may belong to the customer", () => {
  expect(camelKeys({ metadata: { my_key: "v" } })).toEqual({ metadata: { my_key: "v" } });
  expect(snakeKeys({ headers: { "Content-Type": "a/b" } })).toEqual({ headers: { "Content-Type": "a/b" } });
});
