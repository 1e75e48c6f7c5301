/** Returned for a character that is not a hex digit. */
export const NONE = 255

const VALUES = new Uint8Array(128).fill(NONE)
for (const digit of '0123456789abcdefABCDEF') VALUES[digit.charCodeAt(0)] = Number.parseInt(digit, 16)

/** Returns the value of the hex digit at an index; {@link NONE} if another character or none is there. */
export function valueAt(text: string, index: number): number {
  return VALUES[text.charCodeAt(index)] ?? NONE
}
