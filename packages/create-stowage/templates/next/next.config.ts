import type { NextConfig } from "next";

// The same as create-next-app sets.
const config: NextConfig = { cacheComponents: true, partialPrefetching: true };

export default config;
