/** A random UUID. Browsers keep `randomUUID` from pages without TLS, and `getRandomValues` from none. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  // The version is 4; the variant's digit is 8, 9, a or b.
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 0b11];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
