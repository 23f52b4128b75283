// `pnpm lab image`: builds the container image and runs it against PostgreSQL and dev-store, without a container engine. Arguments are passed
// to vitest.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installDebianPackages } from "../scripts/debian-packages.mjs";
import { buildImage, IMAGE_PACKAGES } from "./image/build-image.mjs";
import { runLab } from "./run-lab.mjs";

const root = join(import.meta.dirname, "..");

installDebianPackages([...IMAGE_PACKAGES, "bubblewrap"]);
const image = buildImage(root);
let status = 1;
try {
  const { config, rootDir } = image;
  const file = join(dirname(rootDir), "image.json");
  const described = {
    rootDir,
    env: config.Env,
    user: config.User,
    workingDir: config.WorkingDir,
    command: config.Cmd,
    healthcheck: config.Healthcheck.Test,
    labels: config.Labels,
  };
  writeFileSync(file, JSON.stringify(described));
  process.env.STOWAGE_IMAGE = file;
  status = runLab("image", process.argv.slice(2));
  console.log(`The image ID is ${image.id}.`);
  console.log(
    `The image has ${image.size}, ${image.baseSize} of it in its base. The build took ${image.buildSeconds} s.`,
  );
} finally {
  image.remove();
}
process.exit(status);
