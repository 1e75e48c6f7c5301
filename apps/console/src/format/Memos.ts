import { Hex } from '@firn/codec'
import { clean } from './ChainText.ts'

/** Returns a memo as text if it is UTF-8 that shows all that it says, otherwise in hexadecimal; undefined if it is empty. */
export function memoText(memo: string | undefined): string | undefined {
  if (memo === undefined || memo === '' || memo === '0x') return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Hex.decode(memo))
    return clean(text, text.length) === text ? text : memo
  } catch {
    return memo
  }
}
