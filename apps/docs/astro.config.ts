import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { accessibleTables } from "./src/build/accessible-tables.js";
import { compressed } from "./src/build/compressed.js";
import { externalScripts } from "./src/build/external-scripts.js";
import { thirdPartyLicenses } from "./src/build/third-party-licenses.js";
import { BASE } from "./src/content/addresses.js";
import { sidebar } from "./src/sidebar.js";

export default defineConfig({
  base: BASE,
  // The service redirects to the address with a slash (apps/service/src/http/routes/docs.ts).
  trailingSlash: "always",
  // Pages show images as they are.
  image: { service: { entrypoint: "astro/assets/services/noop" } },
  // The text of a page stays as it is written: "tenant's" is a part of some examples and links.
  markdown: { smartypants: false, rehypePlugins: [accessibleTables] },
  integrations: [
    externalScripts(),
    starlight({
      title: "Stowage",
      sidebar: sidebar(),
      pagination: false,
      // Long lines continue below. They would scroll, and each scrolling block would be a landmark without a name.
      expressiveCode: {
        defaultProps: { wrap: true },
        // The highlighter does not know HAProxy.
        shiki: { langAlias: { haproxy: "nginx" } },
      },
      customCss: ["./src/site.css"],
      components: { Footer: "./src/components/Footer.astro" },
      // The repository has no public address that a link could name.
      credits: false,
    }),
    thirdPartyLicenses(),
    // The last one, because it copies what the others have written.
    compressed(),
  ],
});
