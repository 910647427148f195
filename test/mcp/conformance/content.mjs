// The smallest picture and the shortest sound there are: one red pixel, no samples at all.
export const redPixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
export const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

export const text = (words) => ({ type: 'text', text: words });
export const image = () => ({ type: 'image', data: redPixel, mimeType: 'image/png' });
export const embedded = (resource) => ({ type: 'resource', resource });

/** A tool of the fixture: no arguments unless a schema says so. */
export function tool(name, call, inputSchema = { type: 'object', additionalProperties: false }) {
  return { definition: { name, description: `Conformance fixture ${name}`, inputSchema }, call };
}

export const saying = (...content) => ({ content });
