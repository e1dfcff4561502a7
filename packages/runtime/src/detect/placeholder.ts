/** What `init` writes where a person has to say what to do. */
export const placeholderTask = 'Describe the work here.';

/** The gate that stands where nothing was found to judge by. It fails, so that nothing passes for proven. */
export const placeholderGate = 'unwritten';
