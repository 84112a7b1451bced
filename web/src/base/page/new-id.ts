// Ids that the page makes.

/** A random UUID. Browsers keep `randomUUID` from pages without TLS, such as those a phone opens in the same network. */
export function newId(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  // The version is 4; the variant's digit is 8, 9, a or b.
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0b0011) | 0b1000).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
