import type { DecodeRequest } from "./protocol.js";
import { restrictDecoders, transform } from "./transform.js";

/*
 * The process that decodes images for `stowage worker`. It has no settings, no key and no connection: only bytes come in, and bytes go out.
 */

restrictDecoders();
process.on("message", (request: DecodeRequest) => {
  void transform(request).then((answer) => process.send?.(answer));
});
// If the worker dies, this process must end too.
process.once("disconnect", () => process.exit());
process.send?.("ready");
