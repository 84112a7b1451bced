// Kinds of questions.

/** Those that agents ask; Standfast asks its operators itself. */
export const agentKinds = ['form', 'confirmation', 'tool_call', 'authorization', 'text'] as const;
export const holdKinds = [...agentKinds, 'operator'] as const;
/** Those whose answers, always the same, suggest a rule. */
export const ruleKinds = ['form', 'confirmation', 'tool_call'] as const;
