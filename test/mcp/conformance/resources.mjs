import { redPixel } from './content.mjs';

const listed = (uri, name, mimeType) => ({ uri, name, description: `Conformance fixture ${name}`, mimeType });

export const resources = [
  listed('test://static-text', 'static-text', 'text/plain'),
  listed('test://static-binary', 'static-binary', 'image/png'),
  listed('test://watched-resource', 'watched-resource', 'text/plain'),
];

export const templates = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    description: 'Conformance fixture template',
    mimeType: 'application/json',
  },
];

const contents = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: redPixel },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
};

export async function read(uri) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  }
  const found = contents[uri];
  return found === undefined ? undefined : { contents: [{ uri, ...found }] };
}
