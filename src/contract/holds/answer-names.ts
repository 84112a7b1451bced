// Fields of an answer that Standfast gives a meaning.

/** The arguments of a tool call, as who approves it edited them. */
export const editedArgsField = 'editedArgs';

/** In a draft: the reason, under a name that no field of a question has. */
export const draftReasonKey = '$reason';
