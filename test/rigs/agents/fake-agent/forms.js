const plainFields = [
  { name: 'colour', label: 'Colour', type: 'select', options: ['green', 'red'], required: true },
  { name: 'note', label: 'Note', type: 'text' },
];
/** Unknown types, and missing ones. */
const oddFields = [
  { name: 'mood', label: 'Mood', type: 'hologram', required: true },
  { name: 'plain', label: 'No type' },
  { id: 'byId', title: 'Named by id', type: 'text' },
  { label: 'No name at all', type: 'text' },
];
const twinFields = [
  { name: 'same', label: 'First', type: 'text', required: true },
  { name: 'same', label: 'Second', type: 'number' },
];
const fieldsOf = { form: plainFields, 'odd-form': oddFields, 'twin-form': twinFields };

/** The `a2a.hitl.form` of a step; whatever the step says itself wins. */
export function formOf(step, formId) {
  return {
    type: 'a2a.hitl.form',
    formId: step.formId ?? formId,
    title: step.title ?? 'A question',
    description: step.description ?? 'Please choose.',
    fields: step.fields ?? fieldsOf[step.do] ?? plainFields,
    ...(step.errors && { metadata: { errors: step.errors, values: step.values ?? {} } }),
  };
}
