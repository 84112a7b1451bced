/** The name of a file that came without one, by its place in the message: there are A2A servers that drop such (Strands 1.62). */
export function fileNameAt(index: number, mediaType: string): string {
  const [, subtype = ''] = mediaType.split('/');
  const ending = /^[a-z0-9]{1,5}$/i.test(subtype) ? `.${subtype.toLowerCase()}` : '';
  return `file-${index + 1}${ending}`;
}
