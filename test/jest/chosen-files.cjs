// Jest's --filter: of the test files that jest finds, those that the script of the tests has chosen. As a list of paths they would
// be several hundred arguments, which jest prints again at its end. CommonJS, as jest takes the function from module.exports.
const { readFileSync } = require('node:fs');

const chosen = new Set(JSON.parse(readFileSync(process.env.STANDFAST_TEST_FILES, 'utf8')));

module.exports = (paths) => ({ filtered: paths.filter((path) => chosen.has(path)) });
