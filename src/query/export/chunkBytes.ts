// The size in which exports handle bytes that they do not write themselves.

/**
 * What is read, converted or sent at once, and the size of the pooled buffers for it. It takes a third of a slice.
 * Smaller chunks take more time per byte.
 */
export const CHUNK_BYTES = 2 ** 19;
