/** Absolute address of one of our pages; `path` begins with `/`. */
export const pageUrl = (publicUrl: string, path: string): string => `${publicUrl.replace(/\/+$/, '')}${path}`;

export const holdUrl = (publicUrl: string, holdId: string): string => pageUrl(publicUrl, `/holds/${holdId}`);
