import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../components/copy-button.js';
import { t } from '../strings/text.js';
import type { Highlighter } from './highlighter.js';

let loading: Promise<Highlighter> | undefined;
/** Longer code is not highlighted, because it takes too long. */
const most = 30_000;

/** A code block with a copy button; highlighted once the highlighter has loaded. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  const name = language.split(/[\s,{]/)[0]?.toLowerCase() ?? '';
  const [coloured, setColoured] = useState<ComponentChildren>();
  useEffect(() => {
    if (name === '' || code.length > most) return;
    let wanted = true;
    loading ??= import('./highlighter.js').then(({ highlighter }) => highlighter);
    loading.then(
      (highlight) => {
        if (wanted) setColoured(highlight(code, name));
      },
      // Without the highlighter, the code stays plain.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [code, name]);
  return (
    <div class="code">
      <div class="code-head">
        <span>{name}</span>
        <CopyButton label={t('copyCode')} text={() => code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also for those without a mouse. */}
      <pre tabIndex={0}>
        <code>{coloured ?? code}</code>
      </pre>
    </div>
  );
}
