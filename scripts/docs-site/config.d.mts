export function anchorOf(heading: string): string;
export function linkOf(page: string, href: string): string;
