import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { measureUploadCpu } from "./budgets/upload-cpu.js";
import { pinSelf } from "./processes/pinning.js";

const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });

await pinSelf();
const measured = { upload_cpu: await measureUploadCpu() };
const json = JSON.stringify(measured, (_, value: unknown) =>
  typeof value === "number" ? Number(value.toFixed(3)) : value,
);
if (values.write) await writeFile(new URL("../budgets.json", import.meta.url), `${json}\n`);
console.log(json);
