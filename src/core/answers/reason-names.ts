// Fields of an answer that take the words of a no, the better one first: agents name them so.
export const reasonNames = ['reason', 'comment', 'rejectionReason', 'rejection_reason'];
