import { Hex } from '@firn/codec'

/** Returns a memo as text if it is printable UTF-8, otherwise in hexadecimal; undefined if it is empty. */
export function memoText(memo: string | undefined): string | undefined {
  if (memo === undefined || memo === '' || memo === '0x') return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Hex.decode(memo))
    // Control characters, and those that change the direction of text, could hide what a memo says.
    return /[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/u.test(text) ? memo : text
  } catch {
    return memo
  }
}
