// Conversations to read: everything Markdown has, one that is very long, and one whose match is far down in a message.
import { payloads } from './payloads.mjs';

const at = (minute) => new Date(Date.parse('2026-10-20T08:00:00Z') + minute * 60_000).toISOString();

const everything = `# Sorting a shelf

A **bold** word, an *italic* one, ~~a struck one~~, \`inline code\` and a [link](https://example.org/shelf "A shelf").
A line break, and the price is $5 or $6.

## Steps

1. Take everything down
2. Sort by height
   - tall ones left
   - small ones right
3. Put it back

- [x] measured
- [ ] painted

| Part | Count | Price |
|:--|:-:|--:|
| Board | 4 | 12.50 |
| Screw | 16 | 0.10 |

> Measure twice.
>
> > Cut once.

\`\`\`typescript
// The widest board comes first.
export function widest(boards: readonly Board[]): number {
  return Math.max(...boards.map(({ width }) => width), 0);
}
\`\`\`

The area is $a = w \\cdot h$, and the whole shelf

$$\\sum_{i=1}^{n} w_i h_i = \\frac{A}{2}$$

<details>
<summary>What is left over</summary>

Two **screws** and a board.

</details>

![The finished shelf](https://example.org/shelf.png)

---

<b>Typed as HTML</b> & shown as typed.`;

/** The dates are those of the messages, hours apart and over midnight. */
export const markdown = {
  source: 'chatgpt',
  title: 'Sorting a shelf',
  timestamp: at(0),
  tags: ['house'],
  messages: [
    { role: 'user', text: 'How do I sort a *shelfword* so that it stays sorted?', timestamp: at(0) },
    { role: 'assistant', text: everything, timestamp: at(2) },
    { role: 'user', text: 'Thanks, that shelf is sorted.', timestamp: at(60 * 24) },
  ],
};

const filler = 'The wind came from the west and nothing much happened on the water that day, as far as we know.';

/** The words that matter stand far down, in a code block of a long answer. */
export const deep = {
  source: 'claude',
  title: 'A log with one odd line',
  timestamp: at(5),
  messages: [
    { role: 'user', text: 'Which line of the log is odd?' },
    {
      role: 'assistant',
      text: `${Array.from({ length: 60 }, (_, line) => `${line + 1}. ${filler}`).join('\n')}\n\n\`\`\`log\n${Array.from(
        { length: 40 },
        (_, line) => (line === 31 ? 'WARN marlinspike overheated in bay 7' : `INFO tick ${line}`),
      ).join('\n')}\n\`\`\`\n\n${Array.from({ length: 30 }, () => filler).join('\n\n')}`,
    },
  ],
};

/** As long as the longest that people have. */
export const long = {
  source: 'claude-code',
  title: 'Three thousand messages',
  timestamp: at(10),
  messages: Array.from({ length: 3_000 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    text:
      index % 2 === 0
        ? `Step ${index}: what about part ${index % 17}?${index === 2_346 || index === 1_044 ? ' The quillwort is here.' : ''}`
        : `For step **${index}**:\n\n- look at part ${index % 13}\n- then at \`part_${index % 7}\`\n\n\`\`\`js\nconst step = ${index};\n\`\`\`\n\n${filler}`,
  })),
};

/** Scripts in every place of Markdown that could lead somewhere or become an element. */
export const poisonedMarkdown = [
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '&#106;avascript:alert(1)',
    'vbscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '//example.org/x',
    '#/keep',
    'file:///etc/passwd',
    'blob:x',
  ].flatMap((target) => [
    `[x](${target})`,
    `[x](<${target}>)`,
    `![x](${target})`,
    `<${target}>`,
    `[x][y]\n\n[y]: ${target}`,
  ]),
  '[x](https://example.org/" onclick="alert(1))',
  '[x](https://example.org/ "t" onclick=alert(1)")',
  '![x](https://example.org/x.png" onerror="alert(1))',
  '![<img src=x onerror=alert(1)>](https://example.org/x.png)',
  '[<img src=x onerror=alert(1)>](https://example.org)',
  '[![x](javascript:alert(1))](javascript:alert(2))',
  '**<img src=x onerror=alert(1)>**',
  '# <svg onload=alert(1)>',
  '- <iframe src="javascript:alert(1)"></iframe>',
  '> <script>alert(1)</script>',
  '| <img src=x onerror=alert(1)> | [x](javascript:alert(1)) |\n|---|---|\n| <svg onload=alert(1)> | `<script>alert(1)</script>` |',
  '```html" onclick="alert(1)\n<script>alert(1)</script>\n```',
  '```<script>alert(1)</script>\nx\n```',
  '~~~js\n</code></pre><script>alert(1)</script>\n~~~',
  '`</code><script>alert(1)</script>`',
  '<details><summary><img src=x onerror=alert(1)></summary>\n\nx\n\n</details>',
  '<details ontoggle=alert(1) open><summary>x</summary>\n\n<script>alert(1)</script>\n\n</details>',
  '<a href="javascript:alert(1)">**x**</a>',
  '<!-- --><script>alert(1)</script><!-- -->',
  '<https://example.org/"onmouseover="alert(1)>',
  'https://example.org/<script>alert(1)</script>',
  '$\\href{javascript:alert(1)}{x}$ and $\\url{javascript:alert(1)}$',
  '$\\htmlStyle{color:red}{x}$ $\\includegraphics{javascript:alert(1)}$ $\\htmlData{a=b}{x}$',
  '$$<img src=x onerror=alert(1)>$$',
  '$\\text{<script>alert(1)</script>}$',
  '\\(\\text{<img src=x onerror=alert(1)>}\\)',
  '[^1]\n\n[^1]: <script>alert(1)</script>',
  `${'>'.repeat(2_000)} deep`,
  `${'['.repeat(2_000)}x${']'.repeat(2_000)}(javascript:alert(1))`,
  `${'*_'.repeat(3_000)}x`,
  `${'- '.repeat(600)}x`,
].map((text) => ({ role: 'assistant', text }));

export const poisonedReading = {
  source: 'notes',
  title: 'Scripts in Markdown',
  timestamp: '2019-04-01T00:00:00Z',
  messages: [...poisonedMarkdown, ...payloads.map((text) => ({ role: 'user', text: `**${text}**\n\n${text}` }))],
};

export const readings = [markdown, deep, long, poisonedReading];
