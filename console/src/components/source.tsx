import { hueOf, markOf } from '../source-mark.js';

/** The name of a source with its colour and its letters. */
export function Source({ name }: { name: string }) {
  return (
    <span class="source">
      <span class={`source-mark hue-${hueOf(name)}`} aria-hidden="true">
        {markOf(name)}
      </span>
      {name}
    </span>
  );
}
