/** Half-precision numbers, given as their 16 bits, in single precision. */
export function fromFloat16(halves: Uint16Array): Float32Array {
  const bits = new Uint32Array(halves.length);
  for (let index = 0; index < halves.length; index++) {
    const half = halves[index] ?? 0;
    const sign = (half & 0x8000) << 16;
    const exponent = (half >>> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0x1f) bits[index] = sign | 0x7f800000 | (fraction << 13);
    else if (exponent !== 0) bits[index] = sign | ((exponent + 112) << 23) | (fraction << 13);
    else if (fraction !== 0) bits[index] = sign | subnormal(fraction);
    else bits[index] = sign;
  }
  return new Float32Array(bits.buffer);
}

/** Single precision has room for what half precision can only write without a leading one. */
function subnormal(fraction: number): number {
  const shift = Math.clz32(fraction) - 21;
  return ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}

/** The upper halves of single-precision numbers, as `bfloat16` stores them. */
export function fromBrainFloat16(halves: Uint16Array): Float32Array {
  return new Float32Array(Uint32Array.from(halves, (half) => half << 16).buffer);
}
