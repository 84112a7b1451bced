/** An ISO time as messages show it, to the minute: `2027-01-01 09:00 UTC`. */
export const utcTime = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
