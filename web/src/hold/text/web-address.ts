/** An http(s) address without a name before the host: `https://bank.example@evil.example/` reads as the bank's. */
export function webAddress(address: string): URL | null {
  if (address.length > 4096 || !URL.canParse(address)) return null;
  const url = new URL(address);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url : null;
}
