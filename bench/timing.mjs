/** Runs `work` `count` times, `writers` at a time; returns the rate and the percentiles of single runs. */
export async function measure(count, writers, work) {
  const took = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (next < count) {
        next += 1;
        const from = performance.now();
        await work();
        took.push(performance.now() - from);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  took.sort((one, other) => one - other);
  const at = (share) => took[Math.min(took.length - 1, Math.floor(share * took.length))] ?? 0;
  return { perSecond: count / seconds, p50: at(0.5), p95: at(0.95) };
}
