const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether an address names the machine that asks. */
export const isLoopbackHost = (address: string): boolean => loopback.test(new URL(address).hostname);
