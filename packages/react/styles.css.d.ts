// TypeScript asks for a declaration of whatever is imported, even where it is imported for its effect alone.
