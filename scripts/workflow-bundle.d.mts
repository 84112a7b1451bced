export function bundleWorkflows(): Promise<string>;
