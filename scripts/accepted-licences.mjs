// Which licences a package may have to be part of what is passed on.

/** Licences whose terms were read and fit a program under Apache-2.0; another one is a decision to be made by people. */
export const accepted = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  // Weak copyleft by file: its sources are not changed, and the notices say where they are.
  'MPL-2.0',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  '(Apache-2.0 AND BSD-3-Clause)',
  'Apache-2.0 AND MIT',
  // Names its author where its work is passed on: this very list does.
  '(ISC AND CC-BY-3.0)',
  'PSF-2.0',
]);

/** Packages whose manifest is silent, and what their LICENSE file says. */
export const fromLicenceFile = new Map([['unionfs', 'Unlicense']]);
