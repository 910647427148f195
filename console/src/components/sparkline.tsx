/** A small line chart without axes: the trend, not exact values. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const most = Math.max(1, ...values);
  const step = 120 / Math.max(1, values.length - 1);
  const points = values.map((value, index) => `${(index * step).toFixed(1)},${(26 - (value / most) * 24).toFixed(1)}`);
  return (
    <svg class="sparkline" viewBox="0 0 120 28" role="img" aria-label={label}>
      {points.length === 1 ? <circle cx="2" cy="14" r="2" /> : <polyline points={points.join(' ')} />}
    </svg>
  );
}
