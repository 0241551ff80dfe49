// Loaded with LD_PRELOAD; nothing calls it by name.
