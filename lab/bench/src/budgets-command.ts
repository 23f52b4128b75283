import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { weighOurs } from "./bundles/weigh-ours.js";
import { measureUploadCpu } from "./budgets/upload-cpu.js";
import { pinSelf } from "./processes/pinning.js";

const { values } = parseArgs({
  options: { write: { type: "boolean", default: false }, enough: { type: "string", default: "0" } },
});

await pinSelf();
const measured = {
  upload_cpu: await measureUploadCpu({ enough: Number(values.enough) }),
  // Another test checks the bundles, because it needs no idle machine.
  ...(values.write ? { bundle_bytes: await weighOurs() } : {}),
};
const json = JSON.stringify(measured, (_, value: unknown) =>
  typeof value === "number" ? Number(value.toFixed(3)) : value,
);
if (values.write) await writeFile(new URL("../budgets.json", import.meta.url), `${json}\n`);
console.log(json);
