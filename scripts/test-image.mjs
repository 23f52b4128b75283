// `pnpm test:image`: builds the container image and runs it against PostgreSQL and dev-store, without a container engine. Arguments are
// passed to vitest. It is not part of `npm test`, because the build takes minutes and needs root and Debian's packages.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildImage, IMAGE_PACKAGES } from "./container-image.mjs";
import { installDebianPackages } from "./debian-packages.mjs";
import { run } from "./install.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

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
  // prettier-ignore
  const vitest = ["run", "--root", "apps/service", "--config", "vitest.image.config.ts", "--project", "image", ...process.argv.slice(2)];
  status = run(root, "vitest", vitest);
  console.log(`The image ID is ${image.id}.`);
  console.log(
    `The image has ${image.size}, ${image.baseSize} of it in its base. The build took ${image.buildSeconds} s.`,
  );
} finally {
  image.remove();
}
process.exit(status);
