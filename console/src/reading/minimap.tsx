import type { Match } from './find-bar.js';

interface MinimapProps {
  matches: readonly Match[];
  at: number;
  /** How many messages there are. */
  of: number;
  onChoose: (at: number) => void;
}

/** Where in the conversation the matches are. For the mouse only: the keyboard has next and previous. */
export function Minimap({ matches, at, of, onChoose }: MinimapProps) {
  const height = 1_000;
  const placeOf = ({ turn }: Match): number => ((turn + 0.5) / of) * height;
  const marked = [...new Map(matches.map((match, index) => [match.turn, { match, index }])).values()];
  const current = matches[at];
  const choose = (event: MouseEvent): void => {
    const { top, height: shown } = (event.currentTarget as Element).getBoundingClientRect();
    const clicked = ((event.clientY - top) / shown) * height;
    const distance = (match: Match): number => Math.abs(placeOf(match) - clicked);
    const nearest = matches.reduce((best, match, index) => {
      const known = matches[best];
      return known !== undefined && distance(known) <= distance(match) ? best : index;
    }, 0);
    onChoose(nearest);
  };
  return (
    <div class="minimap" aria-hidden="true">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has next and previous. */}
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from those who would hear it. */}
      <svg viewBox={`0 0 10 ${height}`} preserveAspectRatio="none" onClick={choose}>
        <rect class="track" width="10" height={height} />
        {marked.map(({ match }) => (
          <rect key={match.turn} x="1" width="8" height="6" y={placeOf(match) - 3} />
        ))}
        {current === undefined ? null : <rect class="here" width="10" height="10" y={placeOf(current) - 5} />}
      </svg>
    </div>
  );
}
