/** The address if a link may lead there: the api names no other, and a page opens no other whatever it receives. */
export function webAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  return ['http:', 'https:'].includes(new URL(address).protocol) ? address : null;
}
