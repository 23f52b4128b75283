// TypeScript needs a declaration for every import, also for a style sheet that exports nothing.
