// The size of the chunks in which exports read files, convert columns and send bytes.

/**
 * The bytes that are read, converted or sent at once, and the size of the pooled buffers for them. Handling a chunk
 * takes a third of a slice. Smaller chunks would take more time per byte.
 */
export const CHUNK_BYTES = 2 ** 19;
