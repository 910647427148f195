// The answers of the interface as Python types, written from the same schemas as those of the library.
import { z } from 'zod';
import { calls, named } from './wire-types.mjs';

const head = `"""What the server answers. Written by \`npm run docs\` from the schemas of the operations. Do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    # Part of \`typing\` only from Python 3.11; type checkers know it everywhere.
    from typing_extensions import NotRequired
`;

/** A search and its like answer with other results in each \`result_mode\`; only the caller knows which. */
const byMode = /^list\[(?:\w+Result(?: \| )?){2,}\]$/;

export function pythonTypes(operations) {
  const classes = [];
  const shapes = Object.entries(named).map(([id, find]) => [id, find(operations)]);
  for (const [id, schema] of shapes) z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  try {
    for (const [id, schema] of shapes) if (!id.endsWith('Input')) declare(id, schema, classes);
    for (const [id, call] of Object.entries(calls)) {
      if (!('output' in call)) declare(`${id}Output`, operations[call.name].output, classes);
    }
  } finally {
    for (const [, schema] of shapes) z.globalRegistry.remove(schema);
  }
  return `${head}\n\n${classes.join('\n\n\n')}\n`;
}

function declare(id, schema, classes) {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const own = whole.$ref === undefined ? whole : $defs[whole.$ref.split('/').at(-1)];
  if (own.type !== 'object' || own.properties === undefined) throw new Error(`${id} is not an object with fields`);
  classOf(id, own, classes);
}

function classOf(id, { properties, required = [], description }, classes) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const found = typeOf(schema, `${id}${camel(name)}`, classes);
    const type = byMode.test(found) ? 'list[Any]' : found;
    const about = schema.description === undefined ? [] : [`    # ${schema.description.replace(/\s+/g, ' ')}`];
    return { name, about, type: required.includes(name) ? type : `NotRequired[${type}]` };
  });
  const about = description === undefined ? [] : [`    """${description.replace(/\s+/g, ' ')}"""`, ''];
  if (fields.every(({ name }) => isName(name))) {
    const lines = fields.flatMap(({ name, type, about }) => [...about, `    ${name}: ${type}`]);
    classes.push([`class ${id}(TypedDict):`, ...about, ...lines].join('\n'));
  } else {
    // A class cannot have a field such as `from`.
    const lines = fields.flatMap(({ name, type, about }) => [...about, `    "${name}": ${JSON.stringify(type)},`]);
    classes.push([`${id} = TypedDict("${id}", {`, ...lines, '})'].join('\n'));
  }
  return id;
}

const keywords = 'and as assert async await break class def del elif else except from global if import in is';

function isName(name) {
  return /^[a-z_]\w*$/.test(name) && !keywords.split(' ').includes(name);
}

/** `id` is the name that an object without one gets. */
function typeOf(schema, id, classes) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (Array.isArray(schema.type)) return either(schema.type.map((type) => typeOf({ ...schema, type }, id, classes)));
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return either(choices.map((each, at) => typeOf(each, `${id}${at + 1}`, classes)));
  if (schema.type === 'array') return `list[${typeOf(schema.items ?? {}, id, classes)}]`;
  if (schema.type === 'object') {
    if (Object.keys(schema.properties ?? {}).length > 0) return classOf(id, schema, classes);
    const rest = schema.additionalProperties;
    return `dict[str, ${typeof rest === 'object' ? typeOf(rest, id, classes) : 'Any'}]`;
  }
  const types = { string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' };
  return types[schema.type] ?? 'Any';
}

function either(types) {
  return [...new Set(types)].join(' | ');
}

function literal(value) {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function camel(name) {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}
