export const withPython: string;
export const withAgentsPython: RegExp;
