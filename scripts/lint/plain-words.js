// Keeps one language in the sources: names, comments, test titles and names of properties in the tests' tables use the
// field's terms (docs/vocabulary.md), and so do the messages of server and CLI, and documents (test/docs).
// Each banned word names what to take instead; what is allowed all the same is listed below, with its reason.
const insteadOf = new Map(
  [
    ['anew', 'again, new, re-'],
    ['beat beats', 'heartbeat'],
    ['beside besides', 'next to, with, in addition, other than, in the background'],
    ['door doors', 'command, handler, source, endpoint'],
    ['doubt doubts', 'deliveryUnknown, unconfirmed'],
    ['fold folds folded', 'reduce, compact, collapse'],
    ['gift gifts giver', 'attachment, source'],
    ['hear hears heard', 'receive, be notified'],
    ['looks looked', 'poll, probe, check, read'],
    ['ours', 'whose it is: Standfast’s, local, reserved'],
    ['patience', 'retry, timeout'],
    ['said', 'sent, reported, shown, message'],
    ['sight sights', 'visible, view'],
    ['strangeness', 'what is unknown'],
    ['stride', 'batch, interval'],
    ['thought thoughts', 'reasoning'],
    ['told', 'sent, notified, reported, shown'],
    ['whoever', 'who, those who, or a noun: the author, the reader'],
    ['wish wishes', 'request'],
  ].flatMap(([words, instead]) => words.split(' ').map((word) => [word, instead])),
);

/** Terms of more than one word. */
const phrases = [
  [/\b(?:a|the|first|next|last|late|failing|each|every) looks?\b/i, 'poll, probe, check, view'],
  [/\bstands?\b(?!(?:-| )ins?\b| for\b)/i, 'is, is shown, is kept'],
  [/\b(?:let|lets|letting) go\b/i, 'park, release'],
  [/\b(?:a|the|same|its|their) prints?\b/i, 'fingerprint'],
  [/\b(?:come|comes|came) to nothing\b/i, 'fail, have no effect'],
  [/\bnobody\b/i, 'no one, none, or what is missing: no answer, no key'],
  [/\b(?:go|goes|going|went|gone) out\b/i, 'is sent, was sent'],
  [/\bby (?:itself|themselves)\b/i, 'alone, without a press, or the verb alone: opens, returns'],
];

/** Names that stay: public, or of a library. Whole identifiers, and quoted or bracketed names within text. */
const allowed = new Set([
  'adk_thought', // ADK's metadata
  'thought', // Gemini's part metadata
]);

const wordsOf = (name) =>
  name.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z]+/).map((part) => part.toLowerCase());

/** Text without what is quoted from elsewhere: code in backticks, names such as a.source, ids such as operator-<taskId>. */
const plainOf = (text) => text.replaceAll(/`[^`]*`|"[^"\n]*"|[\w$]+[.:_][\w$:]+|[\w-]+[-:]?</g, ' ');

/** The first banned word or phrase of a text, with what to take instead; undefined: none. */
export function findIn(text) {
  const plain = plainOf(text);
  const word = (plain.match(/[A-Za-z]+/g) ?? []).find((one) => insteadOf.has(one.toLowerCase()));
  if (word !== undefined) return { word, instead: insteadOf.get(word.toLowerCase()) };
  const phrase = phrases.find(([pattern]) => pattern.test(plain));
  return phrase && { word: phrase[0].exec(plain)[0], instead: phrase[1] };
}

/** A sentence, not a name: some tables of tests have titles as keys, and sentences in src are messages to people. */
const isSentence = (node) => node.type === 'Literal' && typeof node.value === 'string' && /\w \w/.test(node.value);

const isTitleOf = ({ callee }) => {
  let name = callee;
  while (name.type === 'MemberExpression' || name.type === 'CallExpression' || name.type === 'TaggedTemplateExpression')
    name = name.object ?? name.callee ?? name.tag;
  return name.type === 'Identifier' && ['describe', 'it', 'test'].includes(name.name);
};

const rule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const report = (node, { word, instead }) =>
      context.report({ node, message: `"${word}" is not a term of the field: take ${instead}.` });
    // German is no matter of this list.
    const isSource = /[\\/]src[\\/]/.test(context.filename) && !/[\\/]i18n[\\/]de[\\/]/.test(context.filename);
    const check = (node, text) => {
      const found = findIn(text);
      if (found !== undefined) report(node, found);
    };
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) check(comment, comment.value);
      },
      Identifier(node) {
        if (allowed.has(node.name)) return;
        const words = wordsOf(node.name);
        const word = words.find((part) => insteadOf.has(part));
        if (word !== undefined) report(node, { word, instead: insteadOf.get(word) });
        else if (isSource && words.includes('nobody')) check(node, 'nobody');
      },
      Property({ key }) {
        if (!isSource && isSentence(key)) check(key, key.value);
      },
      Literal(node) {
        const isClass = node.parent?.type === 'JSXAttribute' && node.parent.name.name === 'className';
        if (isSource && isSentence(node) && !isClass) check(node, node.value);
      },
      TemplateElement(node) {
        if (isSource && /\w \w/.test(node.value.cooked ?? '')) check(node, node.value.cooked);
      },
      CallExpression(node) {
        const [title] = node.arguments;
        if (title === undefined || !isTitleOf(node)) return;
        const text = title.type === 'Literal' ? title.value : title.quasis?.map(({ value }) => value.cooked).join(' ');
        if (typeof text === 'string') check(title, text);
      },
    };
  },
};

// ESLint's plugins are default exports.
export default { meta: { name: 'standfast' }, rules: { 'plain-words': rule } };
