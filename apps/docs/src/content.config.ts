import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";
import { repositoryLoader } from "./content/repository-loader.js";

export const collections = {
  docs: defineCollection({ loader: repositoryLoader(), schema: docsSchema() }),
};
