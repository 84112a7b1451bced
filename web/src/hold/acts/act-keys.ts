// Keys of acts on a question: of the question that is shown, and of the row of a list. Apart, as lists load nothing of a question.
export const actKeys = { claim: 'c', release: 'c', reassign: 'm', snooze: 'snooze' } as const;
