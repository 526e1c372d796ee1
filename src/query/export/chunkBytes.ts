// The size in which exports handle bytes that they do not write themselves.

/**
 * The bytes that are read, converted or sent at once, and the size of the pooled buffers for them. A chunk takes a
 * third of a slice. Smaller chunks take more time per byte.
 */
export const CHUNK_BYTES = 2 ** 19;
