// One question: what is asked, and a form made of its `responseSchema` (a JSON Schema of an object).
import { useId, useState } from 'react';

const typeOf = ({ type }) => (Array.isArray(type) ? type.find((one) => one !== 'null') : type);

/** Choices of a field, as `enum` or as `oneOf` with titles; null when any value may be given. */
function choicesOf(schema) {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => ({ value, title: String(value) }));
  if (!Array.isArray(schema.oneOf) || !schema.oneOf.every((one) => 'const' in one)) return null;
  return schema.oneOf.map((one) => ({ value: one.const, title: one.title ?? String(one.const) }));
}

/** The field by which a question is plainly approved or refused. */
const decisionOf = (properties) => ['approved', 'confirmed'].find((name) => properties[name]?.type === 'boolean');

/** What was typed, as the value that the schema asks for; undefined leaves the field out. */
function valueOf(schema, typed) {
  if (typed === undefined || typed === '') return undefined;
  if (typeof typed !== 'string') return typed;
  const choice = choicesOf(schema)?.find(({ value }) => String(value) === typed);
  if (choice !== undefined) return choice.value;
  const type = typeOf(schema);
  if (type === 'number' || type === 'integer') return Number(typed);
  return type === 'object' || type === 'array' || type === undefined ? JSON.parse(typed) : typed;
}

function Field({ name, schema, value, isRequired, isSecret, onChange }) {
  const id = useId();
  const type = typeOf(schema);
  const choices = choicesOf(schema);
  const label = schema.title ?? name;
  const shared = { id, required: isRequired, onChange: (event) => onChange(event.target.value) };
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (type === 'boolean') {
    return (
      <label htmlFor={id}>
        <input id={id} type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />{' '}
        {label}
      </label>
    );
  }
  return (
    <label htmlFor={id}>
      {label}
      {choices !== null ? (
        <select {...shared} value={value === undefined ? '' : String(value)}>
          <option value="" />
          {choices.map((choice) => (
            <option key={String(choice.value)} value={String(choice.value)}>
              {choice.title}
            </option>
          ))}
        </select>
      ) : type === 'number' || type === 'integer' ? (
        <input {...shared} type="number" step={type === 'integer' ? 1 : 'any'} value={text} />
      ) : type === 'string' ? (
        <input {...shared} type={isSecret ? 'password' : 'text'} value={text} autoComplete="off" />
      ) : (
        <textarea {...shared} rows={4} value={text} spellCheck={false} />
      )}
      {schema.description !== undefined && <small>{schema.description}</small>}
    </label>
  );
}

export function QuestionForm({ interrupt, onAnswer, onDecline }) {
  const { message, responseSchema = {}, metadata } = interrupt;
  const { defaults = {}, secrets = [], tool } = metadata?.standfast ?? {};
  const properties = responseSchema.properties ?? {};
  const required = responseSchema.required ?? [];
  const decision = decisionOf(properties);
  // Questions of one pause share its message; the title is their own.
  const title = responseSchema.title ?? message ?? 'The agent asks';
  const decisionLabel = properties[decision]?.title;
  const [typed, setTyped] = useState(defaults);
  const [fault, setFault] = useState(null);

  const submit = (chosen) => {
    try {
      const values = Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, typed[name])]);
      // A yes or no that was not touched is a no.
      const given = values.map(([name, value]) => [
        name,
        value ?? (typeOf(properties[name]) === 'boolean' ? false : value),
      ]);
      setFault(null);
      onAnswer({ ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), ...chosen });
    } catch (error) {
      setFault(`This is no JSON: ${error.message}`);
    }
  };

  return (
    <form
      className="question"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        submit(decision === undefined ? {} : { [decision]: event.nativeEvent.submitter?.value === 'yes' });
      }}
    >
      <h2>{title}</h2>
      {message !== undefined && message !== title && <p>{message}</p>}
      {tool !== undefined && (
        <pre>
          {tool.name} {JSON.stringify(tool.args, null, 2)}
        </pre>
      )}
      {Object.entries(properties)
        .filter(([name]) => name !== decision)
        .map(([name, schema]) => (
          <Field
            key={name}
            name={name}
            schema={schema}
            value={typed[name]}
            isRequired={required.includes(name)}
            isSecret={secrets.includes(name)}
            onChange={(value) => setTyped((before) => ({ ...before, [name]: value }))}
          />
        ))}
      {fault !== null && <p role="alert">{fault}</p>}
      {decisionLabel !== undefined && decisionLabel !== title && <p>{decisionLabel}</p>}
      {decision === undefined ? (
        <>
          <button type="submit">Send</button>
          <button type="button" onClick={onDecline}>
            Decline
          </button>
        </>
      ) : (
        <>
          <button type="submit" value="yes">
            Approve
          </button>
          <button type="submit" value="no" formNoValidate>
            Reject
          </button>
        </>
      )}
    </form>
  );
}
