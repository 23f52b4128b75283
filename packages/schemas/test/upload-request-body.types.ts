import { expectTypeOf } from "vitest";
import type { UploadRequestBody } from "../src/index.js";

/*
 * tsc checks this file; nothing runs it.
 */

// The body of an upload has the types that are sent, so optional fields can be null.
expectTypeOf<UploadRequestBody["size"]>().toEqualTypeOf<number | null | undefined>();
expectTypeOf<UploadRequestBody["content_type"]>().toEqualTypeOf<string | null | undefined>();
