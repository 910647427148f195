import { useEffect, useState } from 'preact/hooks';
import type { MathsDrawer } from './maths-drawer.js';

let loading: Promise<MathsDrawer> | undefined;

/** A formula; its source stands there until it can be drawn, and stays where it cannot. */
export function Maths({ tex, display }: { tex: string; display: boolean }) {
  const [draw, setDraw] = useState<{ it: MathsDrawer }>();
  useEffect(() => {
    let wanted = true;
    loading ??= import('./maths-drawer.js').then(({ drawMaths }) => drawMaths);
    loading.then(
      (it) => {
        if (wanted) setDraw({ it });
      },
      // The source of the formula is readable, too.
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, []);
  const drawn = draw?.it(tex, display);
  if (drawn !== undefined) return <span class={display ? 'maths display' : 'maths'}>{drawn}</span>;
  return <code class={display ? 'maths display' : 'maths'}>{tex}</code>;
}
