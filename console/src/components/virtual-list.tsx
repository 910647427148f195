import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<Item> {
  items: readonly Item[];
  /** Every row has this height in pixels, which is what lets a hundred thousand of them scroll. */
  rowHeight: number;
  render: (item: Item, index: number) => ComponentChildren;
  /** Called when the end comes near. */
  onEnd?: () => void;
  label: string;
}

const spare = 8;

/** Draws only the rows that can be seen. */
export function VirtualList<Item>({ items, rowHeight, render, onEnd, label }: VirtualListProps<Item>) {
  const box = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState({ from: 0, to: 40 });
  useEffect(() => {
    const measure = (): void => {
      const list = box.current;
      if (list === null) return;
      const above = Math.max(0, -list.getBoundingClientRect().top);
      const from = Math.max(0, Math.floor(above / rowHeight) - spare);
      const to = Math.ceil((above + innerHeight) / rowHeight) + spare;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    measure();
    // Captured, because the list may scroll with the page or inside a pane.
    addEventListener('scroll', measure, { capture: true, passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure, { capture: true });
      removeEventListener('resize', measure);
    };
  }, [rowHeight]);
  const nearEnd = range.to >= items.length;
  useEffect(() => {
    if (nearEnd) onEnd?.();
  }, [nearEnd, items.length]);
  const shown = items.slice(range.from, range.to);
  return (
    <ul class="virtual" ref={box} aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
      {shown.map((item, offset) => {
        const index = range.from + offset;
        return (
          <li
            key={index}
            style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
            aria-setsize={items.length}
            aria-posinset={index + 1}
          >
            {render(item, index)}
          </li>
        );
      })}
    </ul>
  );
}
