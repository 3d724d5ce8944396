// A worker whose module cannot be loaded.
throw new Error("this module is broken");
