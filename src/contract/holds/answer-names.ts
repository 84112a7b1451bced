// Fields of an answer that Holdpoint gives a meaning.

/** The arguments of a tool call, as who approves it edited them. */
export const editedArgsField = 'editedArgs';
