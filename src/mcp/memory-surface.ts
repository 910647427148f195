import type { Service } from '../operations/service.js';
import { type CallParts, callTool } from './call-tool.js';
import { complete } from './completion.js';
import { instructions } from './instructions.js';
import { jsonSchemaOf } from './json-schema.js';
import { promptsFor } from './prompts.js';
import { readResource, resources, resourceTemplates } from './resources.js';
import type { McpRequest, Surface, ToolEntry } from './surface.js';
import type { MemoryTool } from './tool.js';
import { memoryTools } from './tools/table.js';

export interface MemorySurfaceParts extends CallParts {
  service: Service;
  /** The body of `/health`. */
  health: () => Promise<object>;
}

/** The memory as MCP offers it: tools, resources, prompts and completion over the operations. Made once a process. */
export function memorySurface(parts: MemorySurfaceParts): Surface {
  const { service } = parts;
  const callOf = ({ principal }: McpRequest) => ({ principal, defaultSource: 'mcp' });
  return {
    title: 'Threadkeep',
    instructions,
    tools: memoryTools.map((tool) => entryOf(tool, parts)),
    prompts: promptsFor(new Set(memoryTools.map(({ name }) => name))),
    resources,
    templates: resourceTemplates,
    read: (uri, request) => readResource(parts, callOf(request), uri),
    complete: (completing, request) => complete(service, callOf(request), completing),
  };
}

function entryOf(tool: MemoryTool, parts: MemorySurfaceParts): ToolEntry {
  const { name, title, description, annotations } = tool;
  return {
    definition: {
      name,
      title,
      description,
      annotations,
      _meta: { 'threadkeep/scopes': tool.needs },
      inputSchema: { ...jsonSchemaOf(tool.input, 'input'), type: 'object' },
      outputSchema: { ...jsonSchemaOf(tool.output, 'output'), type: 'object' },
    },
    call: (given, request) => callTool(tool, parts, given, request),
  };
}
